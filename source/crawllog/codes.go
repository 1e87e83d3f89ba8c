package crawllog

import (
	"strings"

	"quire/model"
)

// Code explains one of Heritrix's own status codes (FetchStatusCodes). If the fetch failed, it also
// gives the reason why the content is missing.
type Code struct {
	Name    string
	Meaning string
	Miss    model.Miss // "" if the fetch succeeded
}

// codes are the codes of Heritrix 1 and 3. Other codes above zero are HTTP or FTP statuses.
var codes = map[int]Code{
	0:     {"S_UNATTEMPTED", "never tried", model.MissUntried},
	1:     {"S_DNS_SUCCESS", "name resolved", ""},
	1001:  {"S_GETBYNAME_SUCCESS", "name resolved by the operating system", ""},
	2001:  {"S_WHOIS_SUCCESS", "whois answered", ""},
	2002:  {"S_WHOIS_GENERIC_FINISHED", "whois answered", ""},
	-1:    {"S_DOMAIN_UNRESOLVABLE", "the name could not be resolved", model.MissNetwork},
	-2:    {"S_CONNECT_FAILED", "no connection", model.MissNetwork},
	-3:    {"S_CONNECT_LOST", "the connection broke off", model.MissNetwork},
	-4:    {"S_TIMEOUT", "no answer in time", model.MissNetwork},
	-5:    {"S_RUNTIME_EXCEPTION", "the crawler failed; see runtime-errors.log", model.MissSoftware},
	-6:    {"S_DOMAIN_PREREQUISITE_FAILURE", "the name, required first, could not be resolved", model.MissNetwork},
	-7:    {"S_UNFETCHABLE_URI", "an address that cannot be fetched", model.MissSoftware},
	-8:    {"S_TOO_MANY_RETRIES", "tried too often", model.MissNetwork},
	-50:   {"S_DEFERRED", "deferred until a prerequisite was fetched", model.MissUntried},
	-60:   {"S_UNQUEUEABLE", "could not be queued", model.MissSoftware},
	-61:   {"S_ROBOTS_PREREQUISITE_FAILURE", "robots.txt, required first, could not be fetched", model.MissNetwork},
	-62:   {"S_OTHER_PREREQUISITE_FAILURE", "a prerequisite could not be fetched", model.MissNetwork},
	-63:   {"S_PREREQUISITE_UNSCHEDULABLE_FAILURE", "a prerequisite could not be queued", model.MissSoftware},
	-404:  {"S_DEEMED_NOT_FOUND", "an empty response, treated as not found", model.MissServer},
	-3000: {"S_SERIOUS_ERROR", "the crawler failed badly", model.MissSoftware},
	-4000: {"S_DEEMED_CHAFF", "taken for chaff", model.MissScope},
	-4001: {"S_TOO_MANY_LINK_HOPS", "too many links away from a seed", model.MissScope},
	-4002: {"S_TOO_MANY_EMBED_HOPS", "too many embeds away from a page", model.MissScope},
	-5000: {"S_OUT_OF_SCOPE", "out of scope", model.MissScope},
	-5001: {"S_BLOCKED_BY_USER", "blocked by a setting", model.MissOperator},
	-5002: {"S_BLOCKED_BY_CUSTOM_PROCESSOR", "blocked by a processor", model.MissScope},
	-5003: {"S_BLOCKED_BY_QUOTA", "a quota was reached", model.MissQuota},
	-5004: {"S_BLOCKED_BY_RUNTIME_LIMIT", "the time limit was reached", model.MissQuota},
	-6000: {"S_DELETED_BY_USER", "deleted from the queue by the operator", model.MissOperator},
	-7000: {"S_PROCESSING_THREAD_KILLED", "the operator ended the thread", model.MissOperator},
	-9998: {"S_ROBOTS_PRECLUDED", "robots.txt forbids it", model.MissRobots},
}

// Explain returns the meaning of a status code in the log, and false for an HTTP status or an
// unknown code.
func Explain(status int) (Code, bool) {
	c, ok := codes[status]
	return c, ok
}

// miss derives the reason why a line has no content. A server's refusal is content too, because the
// crawler wrote it.
func miss(f *model.Fetch) model.Miss {
	if c, ok := codes[f.Status]; ok && c.Miss != "" {
		return c.Miss
	}
	if f.Status < 0 { // of an unknown processor
		return model.MissSoftware
	}
	for _, note := range f.Notes {
		if strings.HasPrefix(note, "unwritten:") {
			return model.MissUnwritten
		}
	}
	return ""
}
