package rewrite

import (
	"strings"

	"quire/format/htmllink"
)

// refresh rewrites the value of a Refresh field. It parses the value like the value of a meta
// element (HTML, 7.4.6.4).
func (rw *Rewriter) refresh(kind Kind, value string) (string, bool) {
	from, to, ok := htmllink.RefreshURL([]byte(value))
	if !ok {
		return value, true // reloads the page itself
	}
	url, ok := rw.Location(kind, value[from:to])
	if !ok {
		return "", false
	}
	return value[:from] + strings.NewReplacer("'", "%27", `"`, "%22", " ", "%20").Replace(url) + value[to:], true
}

// linkValue rewrites the value of a Link field (RFC 8288, 3). It keeps only links that browsers use
// to show the page. It removes integrity and similar parameters, because they describe the captured
// bytes.
func (rw *Rewriter) linkValue(value string) (string, bool) {
	var kept []string
	for value != "" {
		var target string
		var parameters []Field
		target, parameters, value = cutLink(value)
		rel, as := "", ""
		for _, p := range parameters {
			switch p.Name {
			case "rel":
				rel = strings.ToLower(p.Value)
			case "as":
				as = strings.ToLower(p.Value)
			}
		}
		kind, ok := Style, false
		switch rel {
		case "stylesheet":
			ok = true
		case "modulepreload":
			kind, ok = Script, true
		case "preload":
			kind, ok = preloads[as]
		}
		url, isURL := rw.Location(kind, target)
		if !ok || !isURL {
			continue
		}
		made := "<" + strings.ReplaceAll(url, ">", "%3E") + ">; rel=" + rel
		for _, p := range parameters {
			if p.Name == "as" || p.Name == "type" || p.Name == "media" {
				made += "; " + p.Name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p.Value) + `"`
			}
		}
		kept = append(kept, made)
	}
	return strings.Join(kept, ", "), len(kept) > 0
}

// cutLink cuts one link off the value of a Link field. It skips invalid parts.
func cutLink(s string) (target string, parameters []Field, rest string) {
	open := strings.IndexByte(s, '<')
	if open < 0 {
		return "", nil, ""
	}
	target, rest, ok := strings.Cut(s[open+1:], ">")
	if !ok {
		return "", nil, ""
	}
	for {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" || rest[0] != ';' {
			_, rest, _ = strings.Cut(rest, ",")
			return target, parameters, rest
		}
		var p Field
		p, rest = cutParameter(rest[1:])
		parameters = append(parameters, p)
	}
}

// cutParameter cuts off one parameter: name, name=token or name="text".
func cutParameter(s string) (p Field, rest string) {
	i := strings.IndexAny(s, "=;,")
	if i < 0 {
		return Field{strings.ToLower(strings.TrimSpace(s)), ""}, ""
	}
	p.Name, rest = strings.ToLower(strings.TrimSpace(s[:i])), s[i:]
	if rest[0] != '=' {
		return p, rest
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	if rest == "" || rest[0] != '"' {
		i := strings.IndexAny(rest, ";,")
		if i < 0 {
			i = len(rest)
		}
		p.Value = strings.TrimSpace(rest[:i])
		return p, rest[i:]
	}
	var value []byte
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '"':
			p.Value = string(value)
			return p, rest[i+1:]
		case rest[i] == '\\' && i+1 < len(rest):
			i++
		}
		value = append(value, rest[i])
	}
	p.Value = string(value)
	return p, ""
}
