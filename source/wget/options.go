package wget

import "strings"

// takesValue lists the options with a value, which may be the next argument. For other options, a
// value can only follow "=".
var takesValue = set(`accept accept-regex append-output base bind-address bind-dns-address body-data ` +
	`body-file ca-certificate
	ca-directory certificate certificate-type ciphers compression config connect-timeout crl-file cut-dirs default-page
	directory-prefix dns-servers dns-timeout domains dot-style egd-file exclude-directories exclude-domains ` +
	`execute follow-tags
	ftp-password ftp-user header hsts-file http-passwd http-password http-user ignore-tags include-directories input-file
	input-metalink level limit-rate load-cookies local-encoding lua-script max-redirect metalink-index method ` +
	`output-document
	output-file password pinnedpubkey post-data post-file prefer-family preferred-location private-key ` +
	`private-key-type progress
	proxy-passwd proxy-password proxy-user quota random-file read-timeout referer regex-type reject ` +
	`reject-regex rejected-log
	remote-encoding report-speed retry-on-http-error save-cookies secure-protocol start-pos timeout tries ` +
	`unlink-limit use-askpass
	user user-agent wait waitretry warc-dedup warc-file warc-header warc-max-size warc-tempdir`)

// flags lists the options without a value, as far as needed to complete abbreviated names.
var flags = set(`adjust-extension ask-password auth-no-challenge background backup-converted backups cache ` +
	`check-certificate clobber
	content-disposition content-on-error continue convert-file-only convert-links cookies debug delete-after ` +
	`directories dns-cache
	follow-ftp force-directories force-html ftp-stmlf glob host-directories hsts html-extension ` +
	`http-keep-alive https-only
	if-modified-since ignore-case ignore-length inet4-only inet6-only iri keep-badhash keep-session-cookies ` +
	`metalink-over-http mirror
	netrc no no-clobber no-config no-parent no-verbose page-requisites parent passive-ftp ` +
	`preserve-permissions protocol-directories
	proxy quiet random-wait recursive relative remove-listing restrict-file-names retr-symlinks ` +
	`retry-connrefused retry-on-host-error
	save-headers server-response show-progress span-hosts spider strict-comments timestamping trust-server-names unlink
	use-server-timestamps verbose version warc-cdx warc-compression warc-digests warc-keep-log xattr`)

// letterNames are the one-letter options.
var letterNames = map[string]string{
	"a": "append-output", "A": "accept", "b": "background", "B": "base", "c": "continue", "C": "cache", "d": "debug",
	"D": "domains",
	"e": "execute", "E": "adjust-extension", "F": "force-html", "g": "glob", "h": "help", "H": "span-hosts",
	"i": "input-file",
	"I": "include-directories", "k": "convert-links", "K": "backup-converted", "l": "level", "L": "relative",
	"m": "mirror",
	"N": "timestamping", "o": "output-file", "O": "output-document", "p": "page-requisites", "P": "directory-prefix",
	"q": "quiet",
	"Q": "quota", "r": "recursive", "R": "reject", "S": "server-response", "t": "tries", "T": "timeout",
	"U": "user-agent",
	"v": "verbose", "V": "version", "w": "wait", "x": "force-directories", "X": "exclude-directories", "Y": "proxy",
	"4": "inet4-only", "6": "inet6-only",
}

// withoutOf are the letters that may follow -n.
var withoutOf = map[rune]string{'c': "no-clobber", 'd': "no-directories", 'H': "no-host-directories", 'p': "no-parent",
	'v': "no-verbose", 'h': "no-holdings"}

// The options for the scope of the harvest and for its limits, by their plain names.
var (
	scopeOptions = set(`mirror recursive level pagerequisites spanhosts domains excludedomains ` +
		`includedirectories excludedirectories
		accept reject acceptregex rejectregex noparent parent followtags ignoretags relative relativeonly ` +
		`followftp ignorecase
		httpsonly reclevel input inputfile adddomains`)
	limitOptions = set(`quota tries timeout readtimeout connecttimeout dnstimeout wait randomwait waitretry ` +
		`limitrate maxredirect`)
)

func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

// fullName completes the prefix of a long option, if it is unique.
func fullName(name string) string {
	name = strings.ToLower(name)
	if takesValue[name] || flags[name] || flags[strings.TrimPrefix(name, "no-")] {
		return name
	}
	var found string
	for _, all := range []map[string]bool{takesValue, flags} {
		for full := range all {
			if !strings.HasPrefix(full, name) {
				continue
			}
			if found != "" {
				return name
			}
			found = full
		}
	}
	if found == "" {
		return name
	}
	return found
}
