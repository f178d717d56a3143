/* digest.h - the two sums of iSCSI: CRC32C over headers, MD5 for CHAP. Slow and plain, for tests. */
#ifndef LUNSCOPE_TEST_DIGEST_H
#define LUNSCOPE_TEST_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* RFC 7143 13.1 (Castagnoli); goes onto the wire with its least significant byte first. */
uint32_t digest_crc32c(const void *data, size_t n);
/* RFC 1321. */
void digest_md5(const void *data, size_t n, uint8_t sum[16]);

#endif
