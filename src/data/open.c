/* SPDX-License-Identifier: Apache-2.0 */
/* open.c - from paths to a table: files or folders, and the filters that stand between them and its records. */
#include "core/memory.h"
#include "data/arrow.h"
#include "data/table.h"
#include "text/encoding.h"

#include <string.h>
#include <sys/stat.h>

void ilk_read_options_init(ilk_read_options *options) {
    *options = (ilk_read_options){0};
}

static const char *encoding_asked(const ilk_read_options *options) {
    return options->encoding || !options->schema ? options->encoding : ilk_schema_encoding(options->schema);
}

/* Whatever the feed gives becomes UTF-8, unpacked. */
static ilk_status add_filters(ilk_feed *feed, const ilk_read_options *options, bool together, ilk_error *err) {
    const ilk_decoding decoding = {
        .encoding = encoding_asked(options), .remembered = !options->encoding, .together = together};
    feed->live = options->live;
    ILK_TRY(ilk_feed_unpack(feed, err));
    return ilk_feed_decode(feed, &decoding, err);
}

typedef ilk_status (*preparation)(ilk_table *t, const ilk_read_options *options, ilk_error *err);

/* A table of a feed that has its filters, which is taken over even on failure. */
static ilk_status make(ilk_table **out, const ilk_feed *feed, bool documents, const ilk_read_options *options,
                       size_t block_size, preparation how, ilk_error *err) {
    const char *encoding = encoding_asked(options);
    ilk_table *t = ilk_zalloc(1, sizeof *t);
    if (!t) {
        feed->free(feed->ctx);
        return ilk_fail_memory(err);
    }
    t->encoding = encoding ? ilk_encoding_find(encoding)->name : NULL;
    t->documents = documents;
    ilk_source_init(&t->source, feed, block_size);
    ilk_status status = how(t, options, err);
    if (status != ILK_OK) {
        ilk_table_free(t);
        return status;
    }
    *out = t;
    return ILK_OK;
}

ilk_status ilk_table_open_feed(ilk_table **out, const ilk_feed *feed, const ilk_read_options *options,
                               size_t block_size, ilk_error *err) {
    ilk_feed filtered = *feed;
    *out = NULL;
    ILK_TRY(add_filters(&filtered, options, false, err));
    return make(out, &filtered, false, options, block_size, ilk_table_prepare, err);
}

/* All documents are there, so nothing is live, and their table has a header because we write it. */
static ilk_status open_folders(ilk_table **out, const char *const *paths, size_t n, const ilk_read_options *options,
                               ilk_error *err) {
    ilk_read_options how = *options;
    ilk_folder folder;
    ilk_feed feed;
    if (options->header != ILK_HEADER_AUTO)
        return ilk_fail(err, ILK_EARG, "%s: documents have no header (--header, --no-header)", paths[0]);
    how.live = false;
    how.header = ILK_HEADER_YES;
    ILK_TRY(ilk_folder_list(&folder, paths, n, err));
    bool classes = false;
    for (size_t i = 0; i < folder.n; i++)
        classes |= ilk_folder_class(&folder, i).n > 0;
    ilk_status status = ilk_feed_files(&feed, (const char *const *)folder.path, folder.n, err);
    if (status == ILK_OK)
        status = add_filters(&feed, &how, true, err);
    if (status == ILK_OK)
        status = ilk_feed_documents(&feed, &folder, err);
    ilk_folder_free(&folder); /* unless the feed has it */
    if (status == ILK_OK)
        status = make(out, &feed, true, &how, ILK_BLOCK_SIZE, ilk_table_prepare, err);
    if (status == ILK_OK)
        (*out)->classless = !classes;
    return status;
}

static bool is_folder(const char *path) {
    struct stat st;
    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Folders or files, not both: they have other columns. */
static ilk_status choose_folders(bool *folders, const char *const *paths, size_t n, ilk_format format, ilk_error *err) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        bool here = is_folder(paths[i]);
        found += here;
        if (format == ILK_FORMAT_DIRS && !here)
            return ilk_fail(err, ILK_EIO, "%s is not a folder", paths[i]);
        if (format == ILK_FORMAT_AUTO && here != is_folder(paths[0]))
            return ilk_fail(err, ILK_EIO, "%s is a folder and %s is not: they have different columns",
                            paths[here ? i : 0], paths[here ? 0 : i]);
    }
    *folders = found == n && (format == ILK_FORMAT_DIRS || format == ILK_FORMAT_AUTO);
    return ILK_OK;
}

static ilk_status check_options(const ilk_read_options *o, ilk_error *err) {
    if ((unsigned)o->format >= ILK_FORMAT_ARROW)
        return ilk_fail(err, ILK_EARG, "there are no files of format %u", o->format);
    if ((unsigned)o->header > ILK_HEADER_NO)
        return ilk_fail(err, ILK_EARG, "there is no way %u to tell a header", o->header);
    return ILK_OK;
}

ilk_status ilk_table_open(ilk_table **out, const char *const *paths, size_t n, const ilk_read_options *options,
                          ilk_error *err) {
    ilk_feed feed;
    ilk_read_options defaults;
    bool folders = false;
    *out = NULL;
    if (n == 0)
        return ilk_fail(err, ILK_EARG, "no file to read");
    if (!options) {
        ilk_read_options_init(&defaults);
        options = &defaults;
    }
    ILK_TRY(check_options(options, err));
    ILK_TRY(choose_folders(&folders, paths, n, options->format, err));
    if (folders)
        return open_folders(out, paths, n, options, err);
    ILK_TRY(ilk_feed_files(&feed, paths, n, err));
    return ilk_table_open_feed(out, &feed, options, ILK_BLOCK_SIZE, err);
}

ilk_status ilk_table_from_arrow(ilk_table **out, struct ArrowArrayStream *stream, const ilk_read_options *options,
                                ilk_error *err) {
    ilk_read_options how = options ? *options : (ilk_read_options){0};
    ilk_feed feed;
    *out = NULL;
    how.encoding = NULL; /* Arrow's strings are UTF-8 */
    how.schema = NULL;
    ILK_TRY(ilk_feed_arrow(&feed, stream, err));
    return make(out, &feed, false, &how, ILK_BLOCK_SIZE, ilk_table_prepare_arrow, err);
}
