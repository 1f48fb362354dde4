/* order.h - which work of streams, and which accesses of the host, nothing orders.
 *
 * A clock counts the work of each stream that is over before something begins. Streams, marks of
 * events and the host have one. Two pieces of work that the clocks do not order, and of which one
 * writes what the other accesses, are a finding.
 */
#ifndef WSIM_RUNTIME_ORDER_H
#define WSIM_RUNTIME_ORDER_H

#include "state.h"

/* Whether order is looked at: there are several streams, or memory that the host sees. */
int order_is_on(void);

/* Work of a list begins to belong to node `index` of `n` of the last graph. The node waits for
 * those that are marked. */
void order_node(struct work *list, size_t index, const unsigned char *before, size_t n);

/* Work joins its stream: it gets its clock. */
void order_issue(struct work *work);

/* Bytes that work accesses: a box of a copy or fill (`what`), all that a launch did. */
void order_box(struct work *work, const char *what, const struct wsimrt_place *place,
               uint64_t width, uint64_t height, uint64_t depth, int written);
void order_launch(struct work *work, const struct wsim_report *report);

/* A launch waits for memory to change. */
void order_polls(struct work *work);

/* A stream gives memory of a pool: other streams have to wait for it. */
void order_gives(struct wsimrt_stream *stream, uint64_t address, uint64_t bytes);

/* Work is over: it is compared with all work that may run at the same time. */
void order_end(struct work *work);

/* The host knows that the work of a stream (NULL: of a context), of a mark, or before a piece of
 * work is over. */
void order_drained(const struct wsimrt_context *context, const struct wsimrt_stream *stream);
void order_reached(const struct mark *mark);
void order_called(const struct work *work);

/* Whether the host knows that a piece of work is over. */
int order_is_known(const struct stamp *stamp);

/* Later work of the stream waits for the mark. */
void order_wait(struct wsimrt_stream *stream, const struct mark *mark);

/* A launch may begin before the kernel before it in its stream ends. When it begins: the bytes of
 * that kernel, unless the host has waited. */
void order_depends(void);
void order_primary(struct work *work);

/* Whether launches list the bytes that they access. */
int order_is_touched(void);

/* A stream begins and ends. */
void order_open(struct wsimrt_stream *stream);
void order_close(struct wsimrt_stream *stream);

/* Memory that the host sees is there: its accesses count too. A graph begins, in which some nodes
 * are unordered. */
void order_host(void);
void order_graph(void);

#endif
