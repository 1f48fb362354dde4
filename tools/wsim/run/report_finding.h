/* report_finding.h - findings and lines of a report, as JSON and in words. */
#ifndef WSIM_RUN_REPORT_FINDING_H
#define WSIM_RUN_REPORT_FINDING_H

#include "report.h"
#include "../common/doc.h"
#include "../common/text.h"

enum { REPORT_PLACE = 2 * TEXT_CUT };

json_t *report_whole(uint64_t number);
json_t *report_text(const char *text); /* NULL: null */
json_t *report_three(const uint32_t number[3]);

json_t *report_line_json(const struct wsim_report *report, const struct wsim_line *line);
json_t *report_finding_json(const struct wsim_report *report, const struct wsim_finding *f);

/* The lines of finding `index` of a launch. One that another finding explains is a line of that
 * one, if that is there. */
void report_word_finding(struct doc *doc, const struct run_report *report, size_t launch,
                         size_t index);

#endif
