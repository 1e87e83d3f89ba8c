// Package place holds files in a place that is not a folder of the file system: an S3 bucket, or a
// folder in which only whole files can be written, such as the mount of a remote disk. A file is
// written once, in one step, and verified. It follows the S3 API of 2006-03-01, with conditional
// writes (If-None-Match) and SHA-256 checksums.
//
// Every kind of place passes the tests of quire/repository/place/placetest.
package place
