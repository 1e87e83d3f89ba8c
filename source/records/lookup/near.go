package lookup

import (
	"bytes"
	"cmp"
	"net/url"
	"slices"
	"strings"
)

// maxNear is the maximum number of similar URLs for one not captured.
const maxNear = 5

// near returns similar captured URLs for each URL that was not captured. The first are the same URL
// with another scheme, with or without www, or with or without a slash. Then follow the shortest
// URLs of the same host.
func (x *Index) near(lacking map[int]string) (map[int][]string, error) {
	variants := map[string][]int{}
	hosts := map[string][]string{} // captured URLs, by host without www
	for i, u := range lacking {
		for _, v := range alike(u) {
			variants[v] = append(variants[v], i)
		}
		if host := bareHost(u); host != "" {
			hosts[host] = nil
		}
	}
	near := map[int][]string{}
	var last []byte
	err := x.sorter.Each(func(key, _ []byte) error {
		u := urlOf(key)
		if last != nil && bytes.Equal(u, last) {
			return nil
		}
		last = append(last[:0], u...)
		for _, i := range variants[string(u)] {
			near[i] = append(near[i], string(u))
		}
		host := bareHost(string(u))
		if known, wanted := hosts[host]; wanted {
			hosts[host] = shortest(known, u)
		}
		return nil
	})
	for i, u := range lacking {
		for _, other := range hosts[bareHost(u)] {
			if len(near[i]) < maxNear && !slices.Contains(near[i], other) {
				near[i] = append(near[i], other)
			}
		}
	}
	return near, err
}

// shortest keeps the shortest URLs, the shortest first.
func shortest(known []string, u []byte) []string {
	if len(known) == maxNear && len(u) >= len(known[maxNear-1]) {
		return known
	}
	known = append(known, string(u))
	slices.SortStableFunc(known, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return known[:min(len(known), maxNear)]
}

// alike returns the URLs that people treat as the same.
func alike(u string) (all []string) {
	scheme, rest, ok := strings.Cut(u, "://")
	if !ok {
		return nil
	}
	schemes := []string{scheme}
	switch scheme {
	case "http":
		schemes = append(schemes, "https")
	case "https":
		schemes = append(schemes, "http")
	}
	hosts := []string{rest, "www." + rest}
	if bare, ok := strings.CutPrefix(rest, "www."); ok {
		hosts[1] = bare
	}
	for _, s := range schemes {
		for _, h := range hosts {
			slash := h + "/"
			if bare, ok := strings.CutSuffix(h, "/"); ok {
				slash = bare
			}
			for _, v := range []string{h, slash} {
				if v = s + "://" + v; v != u {
					all = append(all, v)
				}
			}
		}
	}
	return all
}

func bareHost(u string) string {
	parsed, err := url.Parse(u)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(parsed.Hostname(), "www.")
}
