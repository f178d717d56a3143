/* unit-facts.c - what is set on a host, and how it changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "env/facts.h"

static void a_fact_is_found_by_its_words(void **state)
{
	struct facts f = {0};
	char words[32];
	(void)state;

	/* In no order, and more than there is room for at first. */
	for (unsigned i = 0; i < 500; i++) {
		snprintf(words, sizeof(words), "eth%u mtu", i * 7 % 500);
		facts_setf(&f, words, "%u", i);
	}
	assert_int_equal(f.count, 500);
	for (unsigned i = 0; i + 1 < f.count; i++)
		assert_true(strcmp(f.fact[i].words, f.fact[i + 1].words) < 0);
	assert_string_equal(facts_get(&f, "eth7 mtu"), "1");
	assert_null(facts_get(&f, "eth500 mtu"));
	facts_set(&f, "eth7 mtu", " 9000\t\n");
	assert_string_equal(facts_get(&f, "eth7 mtu"), "9000");
	facts_set(&f, "net.ipv4.tcp_rmem", "4096\t131072\t6291456\n");
	assert_string_equal(facts_get(&f, "net.ipv4.tcp_rmem"), "4096 131072 6291456");
	facts_remove(&f, "eth7 mtu");
	facts_remove(&f, "eth7 mtu");
	assert_null(facts_get(&f, "eth7 mtu"));
	assert_int_equal(f.count, 500);
	facts_free(&f);
}

static void collect(const char *words, const char *from, const char *to, void *arg)
{
	char line[200];

	facts_change_words(line, sizeof(line), words, from, to);
	strcat(strcat(arg, line), "; ");
}

static void changes_are_told_in_the_words_of_a_mark(void **state)
{
	struct facts before = {0}, now = {0};
	char told[600] = "";
	(void)state;

	facts_set(&before, "eth0 mtu", "1500");
	facts_set(&before, "eth1 mtu", "1500");
	facts_set(&before, "eth2 mtu", "1500");
	facts_copy(&now, &before);
	assert_int_equal(facts_compare(&before, &now, collect, told), 0);
	facts_set(&now, "eth1 mtu", "9000");
	facts_remove(&now, "eth2 mtu");
	facts_set(&now, "sda scheduler", "none");
	assert_int_equal(facts_compare(&before, &now, collect, told), 3);
	assert_string_equal(told, "eth1 mtu 1500 > 9000; eth2 mtu is gone (was 1500); "
				  "sda scheduler is there: none; ");
	facts_free(&before);
	facts_free(&now);
}

static void facts_come_back_from_json(void **state)
{
	struct facts f = {0}, g = {0};
	(void)state;

	facts_set(&f, "eth0 mtu", "1500");
	facts_set(&f, "eth0 pause", "(not supported)");
	json_t *o = facts_json(&f);
	facts_scan(&g, o);
	assert_int_equal(g.count, 2);
	assert_int_equal(facts_compare(&f, &g, NULL, NULL), 0);
	json_decref(o);
	facts_scan(&g, NULL);
	assert_int_equal(g.count, 0);
	facts_free(&f);
	facts_free(&g);
}

/* A NIC's name can be any bytes but '/' and blanks (dev_valid_name() of the kernel). */
static void a_name_of_any_bytes_is_kept_and_no_terminal_obeys_it(void **state)
{
	struct facts f = {0};
	(void)state;

	facts_set(&f, "e\033[31mred mtu", "1500");
	facts_set(&f, "e\xe9 mtu", "9000");
	facts_set(&f,
		  "e\xc2\x9b"
		  "1m mtu",
		  "4000");
	assert_int_equal(f.count, 3);
	for (size_t i = 0; i < f.count; i++)
		assert_null(strpbrk(f.fact[i].words, "\033\x9b"));
	assert_string_equal(facts_get(&f, "e\033[31mred mtu"), "1500");
	assert_string_equal(facts_get(&f, "e?[31mred mtu"), "1500");
	json_t *o = facts_json(&f);
	assert_int_equal(json_object_size(o), 3);
	assert_string_equal(json_string_value(json_object_get(o, "e? mtu")), "9000");
	json_decref(o);
	facts_remove(&f, "e\033[31mred mtu");
	assert_int_equal(f.count, 2);
	facts_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fact_is_found_by_its_words),
		cmocka_unit_test(changes_are_told_in_the_words_of_a_mark),
		cmocka_unit_test(facts_come_back_from_json),
		cmocka_unit_test(a_name_of_any_bytes_is_kept_and_no_terminal_obeys_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
