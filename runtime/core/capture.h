/* capture.h - calls while streams capture: refuse.c, capture.c. */
#ifndef WSIM_RUNTIME_CAPTURE_H
#define WSIM_RUNTIME_CAPTURE_H

#include "work.h"

/* Errors of calls while streams capture. _check: a use of the stream; _refuse: one that no graph
 * can hold; _unsafe: a call that may wait for other work. */
int capture_check(struct wsimrt_stream *stream);

/* The same for questions, which spoil no capture. */
int capture_ask(struct wsimrt_stream *stream);
int capture_refuse(struct wsimrt_stream *stream);
int capture_refuse_all(struct wsimrt_context *context);
void capture_fail(struct wsimrt_stream *stream); /* a launch failed */
int capture_refuse_event(const struct wsimrt_event *event);
int capture_unsafe(void);

/* Makes a node of what a stream that captures gets. */
int capture_work(const struct work *work);
int capture_node(struct wsimrt_stream *stream, struct wsimrt_node_params *params);
int capture_record(struct wsimrt_event *event, struct wsimrt_stream *stream);
int capture_wait(struct wsimrt_stream *stream, struct wsimrt_event *event);
void capture_leave(struct wsimrt_stream *stream);
void event_forget(struct wsimrt_event *event);

/* The work of a node that records an event (record: 1) or waits for one, behind *at. */
int event_expand(struct wsimrt_event *event, int record, struct wsimrt_stream *stream,
                 struct work ***at);

#endif
