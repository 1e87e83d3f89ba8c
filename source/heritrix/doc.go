// Package heritrix reads the output of Heritrix 1 and 3: the folder of a job (version 1) or of a
// launch (version 3), with its logs, reports and configuration.
//
// It reads two kinds of configuration: order.xml, and crawler-beans.cxml with its overrides
// applied. Neither records changes made in the console during the crawl. [Hosts], [Types], [Codes],
// [Seeds] and [Sources] read the reports.
package heritrix
