/* SPDX-License-Identifier: Apache-2.0 */
/* export_text.c - the part of an exported C function that is about words: what they weigh, and add.   MATH section 6 */
#include "export.h"

/* ---- weights: of a word that occurs text->count[i] times, and of each occurrence of words that are not known */

static const struct {
    const char *all, *one;
} weights[] = {
    [ILK_TERM_COUNT] = {"text->count[i]", "1.0"},
    [ILK_TERM_BINARY] = {"1.0", "1.0"},
    [ILK_TERM_LOG] = {"log1p(text->count[i])", "0.69314718055994530942"},
};

static bool is_weighed(const ilk_tokenizer *t) {
    return t->weight != ILK_TERM_COUNT || t->unit_length;
}

/* `scale` makes whole numbers of weights, of which one is worth `unit`; with unit_length their squares sum to 1. */
static void write_scale(export_writer *w, const ilk_tokenizer *t, size_t j) {
    const char *one = weights[t->weight].one, *weight = weights[t->weight].all;
    sink_string(&w->out, "        double scale = ");
    export_constant(&w->out, 1 / ilk_tokenizer_unit(t));
    sink_string(&w->out, ";\n");
    if (!t->unit_length)
        return;
    sink_format(&w->out,
                "        double squares = 0;\n"
                "        for (i = 0; i < text->n; i++) {\n"
                "            int known = %s_find(text->word[i], %s_t%zu_key, %u) >= 0;\n"
                "            squares += known ? %s * %s : text->count[i] * %s * %s;\n"
                "        }\n"
                "        scale /= squares > 0 ? sqrt(squares) : 1;\n",
                w->name, w->name, j, export_keys(w, ILK_TEXT, j), weight, weight, one, one);
}

/* "fmax(1, round(WEIGHT * scale)) * UNIT". */
static void write_weight(export_writer *w, const ilk_tokenizer *t, const char *weight) {
    sink_format(&w->out, "fmax(1, round(%s * scale)) * ", weight);
    export_constant(&w->out, ilk_tokenizer_unit(t));
}

/* ---- words that add by how often they occur */

static void write_words(export_writer *w, const ilk_tokenizer *t, size_t j) {
    bool weighed = is_weighed(t);
    sink_string(&w->out, "            double x = ");
    if (weighed)
        write_weight(w, t, weights[t->weight].all);
    else
        sink_string(&w->out, "text->count[i]");
    sink_format(
        &w->out,
        ";\n            for (k = 0; k < %zu && at >= 0; k++)\n                score[k] += x * %s_t%zu_log[at][k];\n",
        w->K, w->name, j);
    if (w->unseen == ILK_UNSEEN_UNKNOWN)
        sink_string(&w->out, "            strange += at == -2 ? text->count[i] : 0;\n");
}

/* Words that are not known are weighed as one. */
static void write_strange(export_writer *w, const ilk_tokenizer *t, size_t j) {
    sink_format(&w->out, "        for (k = 0; k < %zu && strange > 0; k++)\n            score[k] += ", w->K);
    if (is_weighed(t)) {
        sink_string(&w->out, "fmax(1, round(strange * ");
        sink_format(&w->out, "%s * scale)) * ", weights[t->weight].one);
        export_constant(&w->out, ilk_tokenizer_unit(t));
    } else {
        sink_string(&w->out, "strange");
    }
    sink_format(&w->out, " * %s_t%zu_unseen[k];\n", w->name, j);
}

/* ---- words that are there or not */

/* One that is in every document of a class has no log(1 - phi): a document without it is impossible. */
static void write_presence(export_writer *w, size_t j) {
    sink_format(&w->out,
                "            for (k = 0; k < %zu && at >= 0; k++) {\n"
                "                int always = isinf(%s_t%zu_not[at][k]) != 0;\n"
                "                certain[k] += always;\n"
                "                score[k] += %s_t%zu_log[at][k] - (always ? 0 : %s_t%zu_not[at][k]);\n            }\n",
                w->K, w->name, j, w->name, j, w->name, j);
    if (w->unseen == ILK_UNSEEN_UNKNOWN)
        sink_format(&w->out,
                    "            for (k = 0; k < %zu && at == -2 && strange == 0; k++)\n                score[k] += "
                    "%s_t%zu_unseen[k];\n"
                    "            strange += at == -2;\n",
                    w->K, w->name, j);
}

static void write_absence(export_writer *w, size_t j) {
    sink_format(
        &w->out,
        "        for (k = 0; k < %zu && text->n >= 0; k++)\n            score[k] += certain[k] == %s_t%zu_certain[k] ? "
        "%s_t%zu_base[k] : -INFINITY;\n",
        w->K, w->name, j, w->name, j);
}

void export_text_code(export_writer *w, const ilk_column *column, size_t j) {
    const ilk_tokenizer *t = &column->tokenizer;
    bool bernoulli = export_is(column, "bernoulli"), strange = w->unseen == ILK_UNSEEN_UNKNOWN;
    sink_format(&w->out, "    {\n        const struct %s_text *text = &row->text[%zu];\n        int i;\n%s", w->name, j,
                strange ? "        double strange = 0;\n" : "");
    if (bernoulli)
        sink_format(&w->out, "        double certain[%zu] = {0};\n", w->K);
    else if (is_weighed(t))
        write_scale(w, t, j);
    sink_format(
        &w->out,
        "        for (i = 0; i < text->n; i++) {\n            int at = %s_find(text->word[i], %s_t%zu_key, %u);\n",
        w->name, w->name, j, export_keys(w, ILK_TEXT, j));
    if (w->unseen == ILK_UNSEEN_ERROR)
        sink_string(&w->out, "            if (at == -2)\n                return -2;\n");
    if (bernoulli)
        write_presence(w, j);
    else
        write_words(w, t, j);
    sink_string(&w->out, "        }\n");
    if (bernoulli)
        write_absence(w, j);
    else if (strange)
        write_strange(w, t, j);
    sink_string(&w->out, "    }\n");
}
