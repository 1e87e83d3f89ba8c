// Package mirrors lets GNU Wget mirror a site of our own in its several ways, and compares what
// source/wget makes of each mirror with what was served.
package mirrors
