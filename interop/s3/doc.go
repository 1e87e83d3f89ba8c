// Package s3 tests copies in a bucket with versitygw, an S3 service that keeps files in a folder.
package s3
