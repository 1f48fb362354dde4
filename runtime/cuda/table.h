/* table.h - the table of the driver API. */
#ifndef WSIM_RUNTIME_TABLE_H
#define WSIM_RUNTIME_TABLE_H

#include "driver.h"

/* How the search for a function ended: CUdriverProcAddressQueryResult. */
enum table_result { TABLE_FOUND, TABLE_NO_NAME, TABLE_NO_VERSION };

/* Finds the newest version of a function that is not newer than `version`. `per_thread`: the twin
 * whose stream of NULL is that of the thread, if there is one. *address is NULL if none is found.
 */
enum table_result table_find(const char *name, int version, int per_thread, void **address);

#endif
