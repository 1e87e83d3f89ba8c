package rewrite

import "strings"

// among are the directives about documents: where they may come from, and where they may be shown.
var among = map[string]bool{"frame-src": true, "object-src": true, "form-action": true, "frame-ancestors": true}

// Among returns a policy by which documents may come from, and be shown by, the hosts of all
// archived sites too: each has its own (https://*.replay.example). Whatever else a page fetches
// comes from its own host still.
func Among(policy, hosts string) string {
	if hosts == "" {
		return policy
	}
	var all []string
	for directive := range strings.SplitSeq(policy, "; ") {
		if name, _, _ := strings.Cut(directive, " "); among[name] {
			directive += " " + hosts
		}
		all = append(all, directive)
	}
	return strings.Join(all, "; ")
}
