/* wire.h - what the wires could carry, and how much of it they do.
 *
 * Of a link's bits, each TCP segment with MSS bytes of payload takes (bytes)
 *
 *	MSS + TCP/IP headers + 14 Ethernet header + 4 FCS + 8 preamble + 12 gap
 *
 * (IEEE 802.3-2018, 3.1.1 and 4.4.2; a VLAN tag would be 4 more and is not seen from here). TCP/IP headers
 * are what the path's MTU is larger than the MSS: 20 (RFC 791, 3.1) or 40 (RFC 8200, 3), 20 (RFC 9293, 3.1)
 * and 12 for time stamps (RFC 7323, appendix A), which Linux sends. Of the payload, each iSCSI PDU has
 * 48 bytes of header (RFC 7143, 11.2.1) and 4 for each digest (11.2.3) before at most as much data as the
 * receiver takes (MaxRecvDataSegmentLength, 13.12), padded to 4 bytes (11.2.4). At 1 Gb/s and MTU 1500:
 * 125,000,000 x 1448 / 1538 = 117.7 MB/s, and of that 262144 / 262192: 112.2 MiB/s of data.
 *
 * Data read fills segments that come in, so their size is the one that counts then, and data written
 * those that go out.
 */
#ifndef LUNSCOPE_WIRE_H
#define LUNSCOPE_WIRE_H

#include "sessions.h"
#include "units.h"

/* TCP's payload, bytes/s: of segments of so many bytes, with so many of TCP/IP's headers. */
double wire_tcp_ceiling(int64_t bits_s, int64_t mss, int64_t headers);
/* The part of TCP's payload that is data, 0..1: of IOs of so many bytes (<= 0: as large as can be), in PDUs
 * with at most so many, and so many digests on headers and on data (0 or 1). */
double wire_data_share(double io_bytes, int64_t pdu_bytes, unsigned header_digest,
		       unsigned data_digest);
/* TCP/IP headers of a path's segments. */
int64_t wire_headers(const struct backend_session *s);

/* The text or brief text of a wire, which begins with how much it carries, with that in another unit; as it is where
 * data_bytes_s is not known (negative). Returns out. */
char *wire_words(char *out, size_t n, const char *text, double data_bytes_s, enum rate_unit unit);

/* Fills s->wire from its paths and their rates. */
void wire_look(struct sessions *s);

#endif
