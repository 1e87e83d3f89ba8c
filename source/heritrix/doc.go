// Package heritrix reads what Heritrix 1 and 3 leave: the folder of a job (version 1) or of a
// launch (version 3), with its logs, reports and configuration.
//
// Two kinds of configuration are read: order.xml, and crawler-beans.cxml with its overrides
// applied. What was changed while the crawl ran, in the console, left no trace in either. The
// reports are read by [Hosts], [Types], [Codes], [Seeds] and [Sources].
package heritrix
