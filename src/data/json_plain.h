/* SPDX-License-Identifier: Apache-2.0 */
/* json_plain.h - objects of JSON as most lines hold them, member by member and without a tree: keys and strings without
 * escapes, numbers, true, false and null. What else there may be, and what is wrong with it, is left to others. */
#ifndef ILK_DATA_JSON_PLAIN_H
#define ILK_DATA_JSON_PLAIN_H

#include <ilk.h>

typedef enum ilk_json_kind {
    ILK_JSON_NULL,
    ILK_JSON_WORD, /* true or false */
    ILK_JSON_STRING,
    ILK_JSON_INTEGER, /* whose digits are those of its value: no -0, and not beyond 64 bits */
    ILK_JSON_REAL
} ilk_json_kind;

typedef struct ilk_json_member {
    ilk_str key, text; /* text: without quotes, in the line */
    ilk_json_kind kind;
    double number; /* of an integer or a real, finite */
} ilk_json_member;

typedef enum ilk_json_step { ILK_JSON_MEMBER, ILK_JSON_END, ILK_JSON_OTHER } ilk_json_step;

/* What has been read of an object: at first { begin, end } of a line without blanks around it. */
typedef struct ilk_json_object {
    const char *p, *end;
    bool begun;
} ilk_json_object;

/* The next member: ILK_JSON_END behind the last, ILK_JSON_OTHER, once and for all, where it is not such an object. Keys
 * that come twice are the caller's business. */
ilk_json_step ilk_json_next(ilk_json_object *object, ilk_json_member *out);

#endif
