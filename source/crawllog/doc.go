// Package crawllog reads crawl.log, the log in which Heritrix writes a line for each URL. Since
// 2004 a line has eleven, twelve or thirteen columns. NetarchiveSuite and the Web Curator Tool keep
// the same log.
//
// codes.go explains Heritrix's codes. Clock checks whether the times at the beginning of the lines,
// which end in Z, really are UTC: until 2007 they were local.
package crawllog
