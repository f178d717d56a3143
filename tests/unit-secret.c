/* unit-secret.c - secrets leave the words they came in, whole, and nothing else does. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "secret.h"
#include "tests/scratch.h"

static struct backend_login login;
static struct error e;
static char spec[1024];

static int take(const char *text)
{
	memset(&login, 0, sizeof(login));
	memset(spec, 0, sizeof(spec));
	snprintf(spec, sizeof(spec), "%s", text);
	return secret_take(spec, &login, &e);
}

static bool memory_has(const char *word)
{
	return memmem(spec, sizeof(spec), word, strlen(word)) != NULL;
}

static void a_secret_that_is_being_typed_is_masked(void **state)
{
	static const struct {
		const char *typed, *shown;
		bool portal;
	} row[] = {
		{"iscsi://ada%s3cret@h/iqn:a/1", "iscsi://ada%******@h/iqn:a/1", false},
		{"iscsi://ada%s3/c", "iscsi://ada%****", false},
		{"iscsi://ada%s3c?x", "iscsi://ada%*****", false},
		{"iscsi://ada@h/iqn%3Aa/1", "iscsi://ada@h/iqn%3Aa/1", false},
		{"iscsi://h/iqn%3Aa/1", "iscsi://h/iqn%3Aa/1", false},
		{"iscsi://[fe80::1%eth0]/iqn:a/1", "iscsi://[fe80::1%eth0]/iqn:a/1", false},
		{"iscsi://h/i/1?target_user=t&target_password=hid",
		 "iscsi://h/i/1?target_user=t&target_password=***", false},
		{"ada%s3c", "ada%***", true},
		{"ada%s3c@h", "ada%***@h", true},
		{"/srv/100%sure@home", "/srv/100%sure@home", false},
	};
	char text[128];
	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		snprintf(text, sizeof(text), "%s", row[i].typed);
		secret_mask(text, row[i].portal);
		assert_string_equal(text, row[i].shown);
	}
}

static void a_url_names_the_users_that_were_typed(void **state)
{
	struct backend_login as = {.user = "ada", .target_user = "bob"};
	char url[64] = "iscsi://eve@h:1/iqn:a/1", portal[] = "ada@h:1";
	(void)state;
	secret_name_users(url, sizeof(url), &as);
	assert_string_equal(url, "iscsi://ada@h:1/iqn:a/1?target_user=bob");
	memset(&as, 0, sizeof(as));
	secret_users(url, &as);
	assert_string_equal(as.user, "ada");
	assert_string_equal(as.target_user, "bob");
	strcpy(as.user, "a@b");
	as.target_user[0] = 0;
	secret_name_users(url, sizeof(url), &as);
	assert_string_equal(url, "iscsi://h:1/iqn:a/1");
	as.user[0] = 0;
	secret_take_user(portal, &as);
	assert_string_equal(portal, "h:1");
	assert_string_equal(as.user, "ada");
}

static void a_secret_is_taken_out_of_a_url_and_its_memory(void **state)
{
	static const struct {
		const char *url, *left, *own, *targets;
	} row[] = {
		{"iscsi://ada%s3cret@h/iqn:a/1", "iscsi://ada@h/iqn:a/1", "s3cret", ""},
		{"iscsi://ada%@h/iqn:a/1", "iscsi://ada@h/iqn:a/1", "", ""},
		{"iscsi://ada@h/iqn:a/1", "iscsi://ada@h/iqn:a/1", "", ""},
		{"iscsi://h/iqn:a/1", "iscsi://h/iqn:a/1", "", ""},
		{"ISCSI://ada%x@h/iqn:a/1", "ISCSI://ada@h/iqn:a/1", "x", ""},
		{"iscsi://h/iqn%3Aa/1", "iscsi://h/iqn%3Aa/1", "", ""},
		{"iscsi://ada%p@ss/w%rd@h:1/iqn:a/1", "iscsi://ada@h:1/iqn:a/1", "p@ss/w%rd", ""},
		{"iscsi://ada%s3c?ret@h/i/1", "iscsi://ada@h/i/1", "s3c?ret", ""},
		{"iscsi://ada%?s3c?@h/i/1?target_password=hi?d@en&target_user=t",
		 "iscsi://ada@h/i/1?target_user=t", "?s3c?", "hi?d@en"},
		{"iscsi://a%s3cret@h/i/1?target_user=t&target_password=hidden",
		 "iscsi://a@h/i/1?target_user=t", "s3cret", "hidden"},
		{"iscsi://a%s3cret@h/i/1?target_password=hidden&target_user=t",
		 "iscsi://a@h/i/1?target_user=t", "s3cret", "hidden"},
		{"iscsi://h/i/1?target_password=hidden", "iscsi://h/i/1", "", "hidden"},
		{"/srv/100%sure@home", "/srv/100%sure@home", "", ""},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		assert_int_equal(take(row[i].url), 0);
		assert_string_equal(spec, row[i].left);
		assert_string_equal(login.secret, row[i].own);
		assert_string_equal(login.target_secret, row[i].targets);
		assert_false(memory_has("s3cret"));
		assert_false(memory_has("hidden"));
	}
}

static void a_portal_needs_no_scheme(void **state)
{
	(void)state;
	memset(spec, 0, sizeof(spec));
	memset(&login, 0, sizeof(login));
	strcpy(spec, "ada%s3cret@10.0.0.1:3260");
	assert_int_equal(secret_take_portal(spec, &login, &e), 0);
	assert_string_equal(spec, "ada@10.0.0.1:3260");
	assert_string_equal(login.secret, "s3cret");
	assert_false(memory_has("s3cret"));
}

static void a_secret_that_is_too_long_is_refused_and_gone_all_the_same(void **state)
{
	char url[600] = "iscsi://a%";
	(void)state;
	memset(url + 10, 'S', 400);
	strcpy(url + 410, "@h/i/1");
	assert_int_equal(take(url), -EINVAL);
	assert_string_equal(spec, "iscsi://a@h/i/1");
	assert_false(memory_has("SS"));
	assert_null(strstr(e.text, "SS"));
}

static void a_file_has_it_in_its_first_line(void **state)
{
	char out[16];
	(void)state;
	assert_int_equal(secret_read(scratch_text("a", "one\ntwo\n"), out, sizeof(out), &e), 0);
	assert_string_equal(out, "one");
	assert_int_equal(secret_read(scratch_text("b", "end"), out, sizeof(out), &e), 0);
	assert_string_equal(out, "end");
	assert_int_equal(secret_read(scratch_text("c", "fifteen chars!!\n"), out, sizeof(out), &e),
			 0);
	assert_string_equal(out, "fifteen chars!!");
	assert_int_equal(secret_read(scratch_text("d", "sixteen chars!!!"), out, sizeof(out), &e),
			 -EINVAL);
	assert_null(strstr(e.text, "sixteen"));
	assert_string_equal(out, "");
	assert_int_equal(secret_read(scratch_text("e", "\nx"), out, sizeof(out), &e), -EINVAL);
	assert_int_equal(secret_read(scratch_dir(), out, sizeof(out), &e), -EINVAL);
	assert_int_equal(secret_read(scratch_path("none"), out, sizeof(out), &e), -ENOENT);
}

static void the_environment_comes_last(void **state)
{
	(void)state;
	setenv(SECRET_ENV, "from env", 1);
	setenv(SECRET_TARGET_ENV, "theirs", 1);
	memset(&login, 0, sizeof(login));
	strcpy(login.secret, "own");
	secret_from_environment(&login);
	assert_string_equal(login.secret, "own");
	assert_string_equal(login.target_secret, "theirs");
	login.secret[0] = 0;
	secret_from_environment(&login);
	assert_string_equal(login.secret, "from env");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_secret_that_is_being_typed_is_masked),
		cmocka_unit_test(a_url_names_the_users_that_were_typed),
		cmocka_unit_test(a_secret_is_taken_out_of_a_url_and_its_memory),
		cmocka_unit_test(a_portal_needs_no_scheme),
		cmocka_unit_test(a_secret_that_is_too_long_is_refused_and_gone_all_the_same),
		cmocka_unit_test(a_file_has_it_in_its_first_line),
		cmocka_unit_test(the_environment_comes_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
