// Package nasty has a website with everything that goes wrong on the web, on four hosts, served on the
// loopback interface only. Wget, Wget2, HTTrack and Heritrix crawl it. Each URL that Quire reads from
// the results is compared with the live site: its bytes, its status, its date and its grade. Each
// difference fails the test, unless it is listed with a reason outside of Quire. With QUIRE_PROVE=1,
// HTTrack crawls all of the site, which takes three minutes.
package nasty
