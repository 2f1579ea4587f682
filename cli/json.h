/* SPDX-License-Identifier: Apache-2.0 */
/* json.h - writing JSON: commas and quotes are kept here, so that callers only name what they have. */
#ifndef ILK_CLI_JSON_H
#define ILK_CLI_JSON_H

#include "sink.h"

/* Inside an object every value has a key; inside an array, and for the outermost value, `key` is NULL. */
typedef struct json {
    sink *out;
    bool lines;     /* objects in arrays begin a line */
    bool comma;     /* the next value needs one before it */
    char close[16]; /* what ends the levels that are open */
    size_t depth;
} json;

json json_begin(sink *out);
void json_object(json *j, const char *key);
void json_array(json *j, const char *key);
/* End the innermost object or array; the outermost ends with a newline. */
void json_end(json *j);

/* What is not UTF-8 becomes U+FFFD. */
void json_string(json *j, const char *key, ilk_str value);
/* The same, null if empty. */
void json_text(json *j, const char *key, ilk_str value);
/* null if NULL. */
void json_word(json *j, const char *key, const char *value);
/* JSON knows no infinity: null. */
void json_number(json *j, const char *key, double value);
void json_count(json *j, const char *key, uint64_t value);
/* Under the key "transform": null, or its kind with edges or lambda. */
void json_transform(json *j, const ilk_transform *transform);
/* Under the key "tokens": how text becomes words. */
void json_tokens(json *j, const ilk_schema *schema, size_t text);
/* A key whose value the caller writes. */
void json_blank(json *j, const char *key);
/* A key that is data; its value follows with key NULL. */
void json_key(json *j, ilk_str key);

#endif
