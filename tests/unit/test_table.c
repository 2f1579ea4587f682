/* SPDX-License-Identifier: Apache-2.0 */
/* test_table.c - opening tables, their headers, and the schemas inferred from them. */
#include "table_support.h"

#include "core/hash.h"
#include "data/profile.h"

static void assert_cannot_open(const char *text, const ilk_read_options *options, const char *message) {
    ilk_str part = str(text);
    ilk_table *table;
    ilk_error err = {0};
    assert_int_equal(open_parts(&table, &part, 1, options, 4096, &err), ILK_EDATA);
    assert_null(table);
    assert_string_equal(err.message, message);
}

/* ---- headers */

static void assert_columns(const char *text, const char *expected) {
    ilk_table *table = open_text(text, NULL);
    char line[256] = "";
    for (size_t j = 0; j < ilk_table_columns(table); j++) {
        ilk_str name = ilk_table_column(table, j);
        snprintf(line + strlen(line), sizeof line - strlen(line), "%.*s|", (int)name.n, name.p);
    }
    assert_string_equal(line, expected);
    ilk_table_free(table);
}

static void header__is_the_first_row_unless_it_holds_a_number_or_recurs(void **state) {
    (void)state;
    assert_columns("a,b\nx,1\ny,2\n", "a|b|");
    assert_columns("a,1\nx,1\ny,2\n", "1|2|");
    assert_columns("x,b\nx,c\ny,d\n", "1|2|");
    assert_columns("NA,b\nNA,c\n", "NA|b|");
    assert_columns(",b,\n1,c,2\n", "1|b|3|");
    assert_columns("\n\n\"a\nb\",c\r\nx,1\n", "a\nb|c|");
    assert_columns("\xEF\xBB\xBFname,y\nx,1\n", "name|y|");
}

static void header__is_a_word_above_numbers_whatever_recurs(void **state) {
    (void)state;
    assert_columns("age,y\n23,n\n45,y\n", "age|y|");
    assert_columns("y,age\ny,\nn,?\nn,1.5\n", "y|age|");
    assert_columns("\"y\",\"a\"\"b\"\n\"y\",1\n\"c\"\"d\",2\n", "y|a\"b|");
    assert_columns("y,age\ny,1\nn,old\n", "1|2|");
    assert_columns("y,age\ny,\nn,?\n", "1|2|");
    assert_columns("y,?\ny,1\nn,2\n", "1|2|");
    assert_columns("y,\ny,1\nn,2\n", "1|2|");
    assert_columns("y,1\ny,1\nn,2\n", "1|2|");
}

/* Rows may be long: what recurs is looked for beyond a block's size, which is 4096 bytes here. */
static void header__is_a_row_that_recurs_late(void **state) {
    (void)state;
    enum { LONG = 1500, ROWS = 9 };
    char text[ROWS * (LONG + 16)], *p = text;
    for (int i = 0; i < ROWS; i++) {
        p += sprintf(p, "%c,", i == 0 || i == ROWS - 1 ? 'x' : 'a' + i);
        memset(p, 'a' + i, LONG);
        p += LONG;
        *p++ = '\n';
    }
    *p = '\0';
    assert_columns(text, "1|2|");
}

static void header__is_what_the_caller_says(void **state) {
    (void)state;
    ilk_read_options yes, no;
    ilk_read_options_init(&yes);
    ilk_read_options_init(&no);
    yes.header = ILK_HEADER_YES;
    no.header = ILK_HEADER_NO;
    ilk_table *table = open_text("2019,2020\n1,2\n", &yes);
    assert_true(ilk_str_equal(ilk_table_column(table, 1), str("2020")));
    ilk_table_free(table);
    table = open_text("a,b\n1,2\n", &no);
    assert_true(ilk_str_equal(ilk_table_column(table, 1), str("2")));
    ilk_table_free(table);
}

static void table__without_names_or_rows_is_refused(void **state) {
    (void)state;
    assert_cannot_open("", NULL, "memory 1: empty");
    assert_cannot_open("a,b\n", NULL, "memory 1: no rows, only a header");
    assert_cannot_open("\n \n\n", NULL, "memory 1: no rows");
    assert_cannot_open("a,\"b\"x\n1,2\n", NULL, "memory 1:1: column 2: text after the closing quote");
    assert_cannot_open("a,b,a\n1,2,3\n", NULL, "memory 1:1: two columns are named 'a'");
}

/* Opening reads a MiB, and more only until there is a row. */
static void table__rows_may_come_late(void **state) {
    (void)state;
    ilk_buffer text = {0};
    add_line(&text, "a,y");
    for (size_t i = 0; i < 40000; i++)
        add_line(&text, "                                                           ");
    add_line(&text, "1,x");
    ilk_str part = {text.p, text.n};
    ilk_table *table;
    ilk_error err = {0};
    assert_int_equal(open_parts(&table, &part, 1, NULL, 4096, &err), ILK_OK);
    assert_true(table->ahead_bytes == text.n);
    ilk_table_free(table);
    ilk_buffer_free(&text);
}

/* 20,000 classes in the order of their names: the first MiB holds each once. Which column of `lines` is the text needs
 * no more, but the labels do. */
static void schema__looks_further_where_labels_are_scattered(void **state) {
    (void)state;
    ilk_buffer text = {0};
    for (size_t i = 0; i < 40000; i++) {
        char line[128];
        snprintf(line, sizeof line, "class %zu\t%80zu", i % 20000, i);
        add_line(&text, line);
    }
    setting s = usual();
    s.read.format = ILK_FORMAT_LINES;
    s.block_size = 1 << 16;
    ilk_str part = {text.p, text.n};
    ilk_table *table;
    ilk_schema *schema;
    ilk_error err = {0};
    for (size_t many = 0; many < 2; many++) {
        if (many) /* now few classes */
            for (size_t i = 0; i < text.n; i++)
                text.p[i] = text.p[i] >= '1' && text.p[i] <= '9' ? '1' : text.p[i];
        assert_int_equal(open_parts(&table, &part, 1, &s.read, s.block_size, &err), ILK_OK);
        assert_true(table->ahead_bytes < 2 * ILK_HEAD_BYTES);
        assert_int_equal(ilk_table_schema(&schema, table, &s.plan, NULL, NULL, &err), ILK_OK);
        assert_true(many ? table->ahead_bytes < 2 * ILK_HEAD_BYTES : table->ahead_bytes == text.n);
        ilk_schema_free(schema);
        ilk_table_free(table);
    }
    ilk_buffer_free(&text);
}

static void table__files_must_have_the_same_header(void **state) {
    (void)state;
    ilk_str parts[] = {str("a,b\n1,x\n"), str("a,c\n2,y\n")};
    ilk_table *table;
    ilk_error err = {0};
    assert_int_equal(open_parts(&table, parts, 2, NULL, 64, &err), ILK_EDATA);
    assert_string_equal(err.message, "memory 2:1: column 2 is 'c', in the first file 'b'");
    parts[1] = str("a,b,c\n2,y,z\n");
    assert_int_equal(open_parts(&table, parts, 2, NULL, 64, &err), ILK_EDATA);
    assert_string_equal(err.message, "memory 2:1: a header of 3 columns, 2 in the first file");
}

static void table__what_cannot_be_opened_says_so(void **state) {
    (void)state;
    ilk_table *table;
    ilk_error err = {0};
    const char *paths[] = {"/tmp", "/nonexistent/x.csv"};
    ilk_read_options csv;
    ilk_read_options_init(&csv);
    csv.format = ILK_FORMAT_CSV;
    assert_int_equal(ilk_table_open(&table, &paths[0], 1, &csv, &err), ILK_EIO);
    assert_string_equal(err.message, "cannot read /tmp: it is a folder");
    assert_int_equal(ilk_table_open(&table, &paths[1], 1, NULL, &err), ILK_EIO);
    assert_string_equal(err.message, "cannot open /nonexistent/x.csv: No such file or directory");
    assert_int_equal(ilk_table_open(&table, NULL, 0, NULL, &err), ILK_EARG);
}

/* ---- schemas */

/* A schema as one line: name:family, with T for the target, W for weights and - for what is ignored. Notes follow, if
 * any. */
static void print_schema(ilk_buffer *out, const ilk_schema *schema) {
    for (size_t j = 0; j < ilk_schema_columns(schema); j++) {
        const ilk_column *c = ilk_schema_column(schema, j);
        const char *role = c->role == ILK_TARGET    ? "T"
                           : c->role == ILK_IGNORED ? "-"
                           : c->role == ILK_WEIGHT  ? "W"
                                                    : c->family;
        assert_int_equal(ilk_buffer_add(out, c->name.p, c->name.n), ILK_OK);
        assert_int_equal(ilk_buffer_add(out, ":", 1), ILK_OK);
        assert_int_equal(ilk_buffer_add(out, role, strlen(role)), ILK_OK);
        assert_int_equal(ilk_buffer_add(out, " ", 1), ILK_OK);
    }
}

static void assert_schema(const char *text, const ilk_plan *plan, const char *expected) {
    ilk_table *table = open_text(text, NULL);
    ilk_schema *schema;
    ilk_buffer line = {0}, notes = {0};
    ilk_error err = {0};
    if (ilk_table_schema(&schema, table, plan, add_line, &notes, &err) != ILK_OK)
        fail_msg("%s", err.message);
    print_schema(&line, schema);
    add_line(&line, "");
    assert_int_equal(ilk_buffer_add(&line, notes.p, notes.n), ILK_OK);
    assert_int_equal(ilk_buffer_add(&line, "", 1), ILK_OK);
    assert_string_equal(line.p, expected);
    ilk_buffer_free(&line);
    ilk_buffer_free(&notes);
    ilk_schema_free(schema);
    ilk_table_free(table);
}

/* `message` goes without the name of the data. */
static void assert_no_schema(const char *text, const ilk_plan *plan, ilk_status status, const char *message) {
    static const char name[] = "memory 1: ";
    ilk_table *table = open_text(text, NULL);
    ilk_schema *schema;
    ilk_error err = {0};
    assert_int_equal(ilk_table_schema(&schema, table, plan, NULL, NULL, &err), status);
    assert_null(schema);
    assert_memory_equal(err.message, name, sizeof name - 1);
    assert_string_equal(err.message + sizeof name - 1, message);
    ilk_table_free(table);
}

static void schema__of_playtennis_leaves_the_day_out(void **state) {
    (void)state;
    ilk_plan plan;
    ilk_plan_init(&plan);
    plan.model = "categorical";
    assert_schema(tennis, &plan,
                  "Day:- Outlook:categorical Temperature:categorical Humidity:categorical Wind:categorical "
                  "PlayTennis:T \n"
                  "column Day ignored: an identifier (14 distinct values in 14 rows)\n");
}

static void schema__numbers_are_real_and_few_integers_categories(void **state) {
    (void)state;
    const char *text = "x,k,flag,big,y\n1.5,1,true,10,a\n2.5,2,false,20,b\n3,1,true,30,a\n4,2,false,40,b\n";
    ilk_plan plan;
    ilk_plan_init(&plan);
    assert_schema(text, NULL, "x:gaussian k:categorical flag:categorical big:gaussian y:T \n");
    plan.model = "gda";
    assert_schema(text, &plan, "x:gda k:categorical flag:categorical big:gda y:T \n");
    plan.model = "qda";
    assert_schema(text, &plan, "x:qda k:categorical flag:categorical big:qda y:T \n");
    plan.model = "categorical";
    assert_schema(text, &plan, "x:categorical k:categorical flag:categorical big:categorical y:T \n");
    plan.model = "table";
    assert_schema(text, &plan, "x:table k:table flag:table big:table y:T \n");
}

static void schema__whole_numbers_are_counts_for_poisson(void **state) {
    (void)state;
    ilk_plan plan;
    ilk_plan_init(&plan);
    plan.model = "poisson";
    assert_schema("n,few,below,part,flag,y\n0,1,-1,1.5,true,a\n20,2,2,2,false,b\n30,1,NA,3,true,a\n4,,3,4,false,b\n",
                  &plan, "n:poisson few:poisson below:gaussian part:gaussian flag:categorical y:T \n");
}

/* Every family is a model too. It is refused where no column would be of it, rather than forgotten. */
static void schema__of_a_model_named_after_a_family_has_a_column_of_it(void **state) {
    (void)state;
    ilk_family_info family;
    ilk_plan plan;
    ilk_plan_init(&plan);
    for (size_t i = 0; ilk_family_at(i, &family); i++) {
        const char *table[] = {"x,y\n1,a\n20,b\n300,a\n", "x,y\nu,a\nv,b\nu,a\n",
                               "x,y\na b c d e f g,a\nb c d e f g h,b\na c d e f g h,b\n"};
        const bool fits[3][3] = {{true, false, false}, {true, true, true}, {false, false, true}};
        for (size_t of = 0; of < 3; of++) {
            char says[100];
            snprintf(says, sizeof says, "x:%s y:T \n", family.name);
            plan.model = family.name;
            if (fits[family.kind][of]) {
                assert_schema(table[of], &plan, says);
                continue;
            }
            ilk_table *t = open_text(table[of], NULL);
            ilk_schema *s;
            ilk_error err = {0};
            assert_int_equal(ilk_table_schema(&s, t, &plan, NULL, NULL, &err), ILK_EDATA);
            assert_non_null(strstr(err.message, family.kind == ILK_TEXT ? "no text column: " : family.name));
            ilk_table_free(t);
        }
    }
    plan.model = "poisson"; /* numbers, but none that could be counts */
    assert_no_schema("x,y\n1.5,a\n2,b\n3.25,a\n", &plan, ILK_EDATA,
                     "no column of counts for model poisson (--family COLUMN=poisson names one)");
}

static void schema__prose_is_text(void **state) {
    (void)state;
    const char *text = "label,review,n\ngood,it was a very good place to stay,1.5\n"
                       "bad,I would not come here again ever,2.5\n"
                       "good,the food was warm and the staff kind,3.5\n";
    ilk_plan plan;
    ilk_plan_init(&plan);
    assert_schema(text, NULL, "label:T review:multinomial n:gaussian \n");
    plan.model = "multinomial";
    assert_schema(text, &plan, "label:T review:multinomial n:- \ncolumn n ignored: not text\n");
    assert_no_schema("a,b\nx,1\nx,2\n", &plan, ILK_EDATA,
                     "no text column: none has more than 5 words on average (--text COLUMN names one, --format lines "
                     "is for a label, a tab and text on each line)");
    plan.model = "bernoulli";
    assert_schema(text, &plan, "label:T review:bernoulli n:- \ncolumn n ignored: not text\n");
    plan.model = "complement";
    assert_schema(text, &plan, "label:T review:complement n:- \ncolumn n ignored: not text\n");
    plan.text = "a";
    assert_schema("a,b\nx,1\nx,2\n", &plan, "a:complement b:T \n");
    plan.model = "categorical";
    assert_schema("a,c,b\nx,u,1\nx,v,2\n", &plan, "a:multinomial c:categorical b:T \n");
}

static void schema__obeys_the_plan(void **state) {
    (void)state;
    const char *const family[] = {"k=gaussian", "x=categorical"};
    const char *text = "y,x,k,z\n1,1.5,1,a\n2,2.5,1,b\n1,3.5,2,c\n2,3.5,2,c\n";
    ilk_plan plan;
    ilk_plan_init(&plan);
    plan.target = "1";
    plan.ignore = "z";
    plan.family = family;
    plan.families = 2;
    assert_schema(text, &plan, "y:T x:categorical k:gaussian z:- \n");
}

static void schema__weights_are_no_feature_and_no_target(void **state) {
    (void)state;
    ilk_plan plan;
    ilk_plan_init(&plan);
    plan.weights = "y";
    assert_schema("x,c,y\n1.5,a,1\n2.5,b,2\n", &plan, "x:gaussian c:T y:W \n");
    plan.weights = "1";
    assert_schema("x,z,c\n1.5,1.25,a\n2.5,2.25,b\n", &plan, "x:W z:gaussian c:T \n");
    ilk_schema *schema;
    ilk_error err = {0};
    const ilk_column first = {.name = str("w"), .role = ILK_WEIGHT}, second = {.name = str("v"), .role = ILK_WEIGHT};
    assert_int_equal(ilk_schema_new(&schema, &err), ILK_OK);
    assert_true(ilk_schema_weight(schema) == SIZE_MAX);
    assert_int_equal(ilk_schema_add(schema, &first, &err), ILK_OK);
    assert_int_equal(ilk_schema_add(schema, &second, &err), ILK_EARG);
    assert_string_equal(err.message, "two columns of weights: v");
    assert_true(ilk_schema_weight(schema) == 0 && ilk_schema_width(schema, ILK_REAL) == 0);
    ilk_schema_free(schema);
}

static void schema__target_is_named_or_last(void **state) {
    (void)state;
    assert_schema("Class,x\na,1.5\nb,2.5\n", NULL, "Class:T x:gaussian \n");
    assert_schema("x,label,z\n1.5,a,b\n2.5,b,b\n", NULL, "x:gaussian label:T z:categorical \n");
    assert_schema("1.5,a\n2.5,b\n", NULL, "1:gaussian 2:T \n");
}

static void schema__notes_what_it_leaves_out(void **state) {
    (void)state;
    assert_schema("x,e,y\n1.5,,a\n2.5,NA,b\n", NULL, "x:gaussian e:- y:T \ncolumn e ignored: no values in 2 rows\n");
    ilk_buffer text = {0};
    add_line(&text, "x,y");
    for (int i = 0; i < 60; i++) {
        char line[32];
        snprintf(line, sizeof line, "%d,%d", i / 2 * 3, i % 2);
        add_line(&text, i == 7 ? "n/a,1" : line);
    }
    assert_int_equal(ilk_buffer_add(&text, "", 1), ILK_OK);
    assert_schema(text.p, NULL,
                  "x:categorical y:T \n"
                  "column x taken as categories: 1 of 60 values is no number, the first 'n/a'\n");
    ilk_buffer_free(&text);
}

static void schema__suggests_the_nearest_name(void **state) {
    (void)state;
    const char *const wrong_column[] = {"Outlok=categorical"}, *const wrong_family[] = {"Wind=categoricl"};
    ilk_plan plan;
    ilk_plan_init(&plan);
    plan.target = "Plytennis";
    assert_no_schema(tennis, &plan, ILK_EARG, "--target: no column 'Plytennis' (did you mean 'PlayTennis'?)");
    plan.target = "xyz";
    assert_no_schema(tennis, &plan, ILK_EARG, "--target: no column 'xyz'");
    plan.target = "7";
    assert_no_schema(tennis, &plan, ILK_EARG, "--target: no column 7: there are 6");
    plan.target = NULL;
    plan.families = 1;
    plan.family = wrong_column;
    assert_no_schema(tennis, &plan, ILK_EARG, "--family: no column 'Outlok' (did you mean 'Outlook'?)");
    plan.family = wrong_family;
    assert_no_schema(tennis, &plan, ILK_EARG, "no family 'categoricl' (did you mean 'categorical'?)");
    plan.families = 0;
    plan.model = "gds";
    assert_no_schema(tennis, &plan, ILK_EARG, "no model 'gds' (did you mean 'gda'?)");
}

static void schema__contradictions_are_refused(void **state) {
    (void)state;
    ilk_plan plan;
    ilk_plan_init(&plan);
    plan.target = "Wind";
    plan.ignore = "Wind,Day";
    assert_no_schema(tennis, &plan, ILK_EARG, "column Wind cannot be the target and ignored");
    assert_no_schema("y\na\nb\n", NULL, ILK_EDATA, "no column is left to learn y from");
    ilk_plan_init(&plan);
    plan.weights = "y";
    plan.ignore = "y";
    assert_no_schema("x,w,y\n1,2,a\n", &plan, ILK_EARG, "column y cannot be the weight and ignored");
    plan.ignore = NULL;
    plan.target = "3";
    assert_no_schema("x,w,y\n1,2,a\n", &plan, ILK_EARG, "column y cannot be the target and the weight");
    plan.weights = "weigt";
    assert_no_schema("x,weight,y\n1,2,a\n", &plan, ILK_EARG, "--weights: no column 'weigt' (did you mean 'weight'?)");
}

static void schema__a_measurement_is_no_class(void **state) {
    (void)state;
    ilk_buffer text = {0};
    char line[64];
    for (int i = 0; i < 40; i++) {
        snprintf(line, sizeof line, "%d,%d.25", i % 2, i);
        add_line(&text, line);
    }
    assert_int_equal(ilk_buffer_add(&text, "", 1), ILK_OK);
    assert_no_schema(text.p, NULL, ILK_EDATA, "column 2 holds 40 distinct values in 40 rows; is it a class?");
    ilk_buffer_free(&text);
}

/* The longest run of slots that are taken in a table of as many: more is never looked at. */
static size_t longest_run(const ilk_profile *p) {
    size_t taken = 0, longest = 0;
    for (size_t i = 0; i < 2 * p->slots; i++) {
        taken = p->slot[i % p->slots] ? taken + 1 : 0;
        longest = taken > longest ? taken : longest;
    }
    return longest;
}

/* Words whose hash without a key ends in the same twelve bits: who knows the function can find any number of them. */
static void survey__spreads_words_that_collide_without_a_key(void **state) {
    (void)state;
    enum { N = 1000 };
    ilk_buffer text = {0};
    size_t words = 0;
    for (unsigned long i = 0; words < N; i++) {
        char word[256];
        int n = snprintf(word, sizeof word, "word%lu", i);
        if ((ilk_hash_bytes(word, (size_t)n) & 0xFFF) != 0)
            continue;
        add_line(&text, word);
        words++;
    }
    assert_int_equal(ilk_buffer_add(&text, "", 1), ILK_OK);
    ilk_read_options options;
    ilk_read_options_init(&options);
    options.header = ILK_HEADER_NO;
    ilk_table *table = open_text(text.p, &options);
    ilk_profile profile = {0};
    ilk_numbers none = {0};
    ilk_survey survey = {.profiles = &profile, .effort = (const ilk_effort[]){ILK_EFFORT_COUNT}, .numbers = &none};
    assert_int_equal(ilk_table_look_ahead(table, NULL), ILK_OK);
    assert_int_equal(ilk_survey_ahead(&survey, table, NULL), ILK_OK);
    assert_int_equal(profile.distinct, N);
    assert_in_range(longest_run(&profile), 1, N / 4);
    ilk_profile_free(&profile);
    ilk_table_free(table);
    ilk_buffer_free(&text);
}

/* Line by line what a table has, in blocks of so many bytes and rows: "file:line a|b|". */
static void list_rows(ilk_buffer *out, const ilk_str *parts, size_t n, const ilk_read_options *o, size_t bytes,
                      size_t most) {
    ilk_table *table;
    ilk_text_block block = {0};
    ilk_parser parser = {0};
    ilk_error err = {0};
    assert_int_equal(open_parts(&table, parts, n, o, bytes, &err), ILK_OK);
    ilk_str fields[8];
    assert_true(table->columns <= 8);
    table->most_rows = most;
    for (bool more; assert_int_equal(ilk_table_next(table, &block, &more, &err), ILK_OK), more;) {
        size_t rows = 0;
        assert_int_equal(ilk_parser_start(&parser, &table->source.dialect, ilk_text_block_rest(&block), block.line),
                         ILK_OK);
        for (ilk_row_state s; (s = ilk_parser_row(&parser, fields, table->columns)) != ILK_ROW_NONE; rows++) {
            char line[64];
            snprintf(line, sizeof line, "%s:%zu state %d", block.name, parser.line, (int)s);
            add_line(out, line);
            for (size_t j = 0; s == ILK_ROW && j < table->columns; j++) {
                assert_int_equal(ilk_buffer_add(out, fields[j].p, fields[j].n), ILK_OK);
                assert_int_equal(ilk_buffer_add(out, "|", 1), ILK_OK);
            }
        }
        assert_true(most == 0 || rows <= most);
        assert_true(ilk_text_block_rest(&block).n < 2 * bytes);
    }
    ilk_parser_free(&parser);
    ilk_buffer_free(&block.bytes);
    ilk_table_free(table);
}

/* Quoted newlines, empty lines, rows that are at fault, a last line without its end; the second file has a header. */
static void blocks__of_few_rows_have_the_rows_of_all(void **state) {
    (void)state;
    static const struct {
        ilk_format format;
        const char *parts[2];
    } cases[] = {
        {ILK_FORMAT_CSV,
         {"a,b\n1,\"x\ny\"\n\n2,z\n3\n4,\"\"\"\"\r\n5,6\n7,8\n9,10\n11,12\n13,14\n15,16\n17,18\n19,20\n",
          "a,b\n3,4\n5,\"6\n\"\n7,8"}},
        {ILK_FORMAT_JSONL,
         {"{\"a\": 1, \"b\": \"x\"}\n{\"b\": 2}\n\n[]\n{\"a\": 3, \"b\": 4}\n", "{\"a\": 5, \"b\": 6}"}},
        {ILK_FORMAT_SVM, {"1 1:2 3:4\n-1 2:5\n1 \n1 1:1\n", "1 3:1\n-1 1:1"}},
        {ILK_FORMAT_LINES, {"s\tone two\nh\tthree\n\nh\tfour\ns\tfive\n", "s\tsix"}},
        {ILK_FORMAT_ARFF,
         {"@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n1,x\n2,y\n% no row\n3,x\n4,z\n",
          "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n5,y\n6,y\n"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ilk_str parts[] = {str(cases[i].parts[0]), str(cases[i].parts[1])};
        ilk_read_options o;
        ilk_buffer all = {0};
        ilk_read_options_init(&o);
        o.format = cases[i].format;
        list_rows(&all, parts, 2, &o, 1 << 20, 0); /* a block for each file */
        for (size_t most = 0; most < 6; most++) {
            ilk_buffer cut = {0};
            list_rows(&cut, parts, 2, &o, 32, most);
            assert_int_equal(cut.n, all.n);
            assert_memory_equal(cut.p, all.p, all.n);
            ilk_buffer_free(&cut);
        }
        ilk_buffer_free(&all);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header__is_the_first_row_unless_it_holds_a_number_or_recurs),
        cmocka_unit_test(header__is_a_word_above_numbers_whatever_recurs),
        cmocka_unit_test(header__is_a_row_that_recurs_late),
        cmocka_unit_test(header__is_what_the_caller_says),
        cmocka_unit_test(table__without_names_or_rows_is_refused),
        cmocka_unit_test(table__rows_may_come_late),
        cmocka_unit_test(schema__looks_further_where_labels_are_scattered),
        cmocka_unit_test(table__files_must_have_the_same_header),
        cmocka_unit_test(table__what_cannot_be_opened_says_so),
        cmocka_unit_test(schema__of_playtennis_leaves_the_day_out),
        cmocka_unit_test(schema__numbers_are_real_and_few_integers_categories),
        cmocka_unit_test(schema__whole_numbers_are_counts_for_poisson),
        cmocka_unit_test(schema__of_a_model_named_after_a_family_has_a_column_of_it),
        cmocka_unit_test(schema__prose_is_text),
        cmocka_unit_test(schema__obeys_the_plan),
        cmocka_unit_test(schema__weights_are_no_feature_and_no_target),
        cmocka_unit_test(schema__target_is_named_or_last),
        cmocka_unit_test(schema__notes_what_it_leaves_out),
        cmocka_unit_test(schema__suggests_the_nearest_name),
        cmocka_unit_test(schema__contradictions_are_refused),
        cmocka_unit_test(schema__a_measurement_is_no_class),
        cmocka_unit_test(survey__spreads_words_that_collide_without_a_key),
        cmocka_unit_test(blocks__of_few_rows_have_the_rows_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
