// Package mirrors has GNU Wget mirror a site of our own in several modes. It compares source/wget's
// reading of each mirror with the served files.
package mirrors
