package rewrite

import "strings"

// among are the directives about documents: their permitted sources, and the pages that may frame
// them.
var among = map[string]bool{"frame-src": true, "object-src": true, "form-action": true, "frame-ancestors": true}

// Among returns a policy that also allows documents from, and framing by, the hosts of all archived
// sites: each site has its own host (https://*.replay.example). Other resources of a page still
// come only from its own host.
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
