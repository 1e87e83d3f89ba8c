package browsertrix

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"quire/internal/secret"
	"quire/model"
)

// configurations reads the saved states of the crawl. Each state has the configuration, and the
// finished and the queued URLs at that moment. The last state is used. Earlier states are only
// searched for secrets.
func (r *reading) configurations(context.Context) error {
	states := r.in("crawls", ".yaml", ".yml")
	for i, p := range slices.Backward(states) {
		n, err := r.yaml(p)
		if err != nil {
			return err
		}
		if n == nil {
			continue
		}
		r.secretsIn(n, p)
		if i == len(states)-1 {
			r.configuration(n, p)
		}
	}
	for _, p := range r.in("crawlIds", ".txt") {
		head, err := r.tree.Head(p, 1<<10)
		if err != nil {
			return err
		}
		r.facts.Set(&r.about.ID, "id", strings.TrimSpace(strings.SplitN(string(head), "\n", 2)[0]), p)
	}
	return nil
}

// limitKeys are the limits of a crawl, scopeKeys its scope.
var (
	limitKeys = []string{"limit", "pageLimit", "maxPageLimit", "sizeLimit", "timeLimit", "diskUtilization",
		"failOnFailedLimit", "pageLoadTimeout", "behaviorTimeout", "pageExtraDelay", "rolloverSize"}
	scopeKeys = []string{"scopeType", "include", "scopeIncludeRx", "exclude", "scopeExcludeRx", "depth", "extraHops",
		"allowHash", "allowHashUrls", "blockRules", "blockAds", "sitemap", "useSitemap"}
)

func (r *reading) configuration(n *node, p string) {
	a := &r.about
	r.told = true
	r.facts.Set(&a.ID, "id", n.text("crawlId"), "crawlId in "+p)
	r.facts.Set(&a.Collection, "collection", n.text("collection"), "collection in "+p)
	r.facts.Set(&a.Title, "title", n.text("title"), "title in "+p)
	r.facts.Set(&a.Note, "note", n.text("description"), "description in "+p)
	r.facts.Set(&a.UserAgent, "user agent", n.text("userAgent"), "userAgent in "+p)
	r.facts.Set(&a.Robots, "robots policy", n.text("robots"), "robots in "+p)
	info := n.get("warcInfo")
	if info == nil {
		info = n.get("warcinfo")
	}
	info.keys(func(key string, v *node) {
		if strings.EqualFold(key, "operator") {
			r.facts.Set(&a.Operator, "operator", v.scalar(), "warcInfo in "+p)
		}
	})
	for _, s := range slices.Concat(n.get("seeds").list(), n.get("url").list()) {
		r.seed(s, p)
	}
	r.rules(n, "", p)
	for _, key := range limitKeys {
		if v := n.text(key); v != "" && v != "0" {
			r.facts.Limit(key, v, p)
		}
	}
	if profile := n.text("profile"); profile != "" {
		r.find(findProfile, model.Warning, p, 0,
			"the crawl used the browser profile %q: its requests and pages may contain data of a "+
				"personal account",
			profile)
	}
}

// seed reads a seed: a URL, or a map with a URL and its own rules.
func (r *reading) seed(s *node, p string) {
	url := s.scalar()
	if url == "" {
		url = s.text("url")
		r.rules(s, secret.Conceal(url)+": ", p)
	}
	if url != "" && r.facts.Spend(len(url), p) {
		r.facts.AddSeedOf(secret.Conceal(url), "seeds in "+p)
	}
}

// rules reads the scope of the crawl, or of a seed.
func (r *reading) rules(n *node, of, p string) {
	for _, key := range scopeKeys {
		for _, v := range n.get(key).list() {
			if value := v.scalar(); value != "" && value != "false" && value != "-1" {
				r.facts.Rule(of+key+": "+value, p)
			}
		}
	}
}

// revealingKeys are parts of setting names that mark passwords and tokens.
var revealingKeys = []string{"auth", "password", "passwd", "token", "secret", "accesskey", "apikey", "cookie"}

// secretsIn looks for settings that hold passwords.
func (r *reading) secretsIn(n *node, p string) {
	var walk func(n *node, depth int)
	walk = func(n *node, depth int) {
		if depth > maxYAMLDepth {
			return
		}
		n.keys(func(key string, v *node) {
			name := strings.ToLower(key)
			if v.scalar() != "" && v.scalar() != "false" &&
				slices.ContainsFunc(revealingKeys, func(k string) bool { return strings.Contains(name, k) }) {
				r.facts.Restrict(p, 0, "holds "+key)
			}
			if key != "state" {
				walk(v, depth+1)
			}
		})
		for _, v := range n.list() {
			if v != n {
				walk(v, depth+1)
			}
		}
	}
	walk(n, 0)
}

// maxYAMLDepth is the maximum nesting depth in which settings are searched.
const maxYAMLDepth = 20

// queued yields the unfinished URLs of the last state: queued, in progress, or failed.
func (r *Harvest) queued(n *node) iter.Seq[model.Fetch] {
	return func(yield func(model.Fetch) bool) {
		state := n.get("state")
		for _, part := range []struct {
			key  string
			miss model.Miss
		}{{"queued", model.MissUntried}, {"pending", model.MissUntried}, {"failed", model.MissNetwork}} {
			for _, v := range state.get(part.key).list() {
				url, via := queueEntry(v)
				if url == "" {
					continue
				}
				f := model.Fetch{URI: secret.Conceal(url), Via: via, Size: -1, Offset: -1, Miss: part.miss,
					Line: int64(v.Line), Notes: []string{"saved state: " + part.key}}
				if !yield(f) {
					return
				}
			}
		}
	}
}

// queueEntry reads an entry of the queue: a URL, JSON with one, or a map with one.
func queueEntry(v *node) (url, via string) {
	if s := v.scalar(); strings.HasPrefix(s, "{") {
		var e struct{ URL string }
		if json.Unmarshal([]byte(s), &e) == nil {
			return e.URL, ""
		}
		return "", ""
	} else if s != "" {
		return s, ""
	}
	return v.text("url"), v.text("seedUrl")
}
