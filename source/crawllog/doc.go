// Package crawllog reads crawl.log, the log in which Heritrix writes a line for each URL it wanted:
// since 2004 with eleven, twelve or thirteen columns. NetarchiveSuite and the Web Curator Tool keep
// the same log.
//
// What Heritrix's codes mean is in codes.go; whether the times at the beginning of the lines, which
// end in Z, are really UTC is told by Clock: until 2007 they were local.
package crawllog
