/* io_error.c - see io_error.h. */
#include "io_error.h"

#include <string.h>
#include "books.h"

const char *io_error_name(int err)
{
	const char *name = strerrorname_np(err);

	if (err == 0)
		return "short";
	if (err == IO_BEYOND_END)
		return "beyond the end";
	return name ? name : "an unknown errno";
}

const char *io_error_words(int err)
{
	const char *words = strerrordesc_np(err);

	if (err == 0)
		return "transferred less than was asked for";
	if (err == IO_BEYOND_END)
		return "beyond the end of the target: it has shrunk";
	return words ? words : "";
}

json_t *io_errors_json(const uint64_t *errors)
{
	json_t *o = json_object();

	for (int i = 0; o && i < ERRNO_SLOTS; i++) {
		const json_t *same = json_object_get(o, io_error_name(i));
		if (errors[i])
			json_object_set_new(
				o, io_error_name(i),
				json_integer((json_int_t)errors[i] + json_integer_value(same)));
	}
	return o;
}
