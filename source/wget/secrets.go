package wget

import (
	"regexp"
	"slices"
	"strings"

	"quire/internal/secret"
)

// passwordOptions are the options with a password as value.
var passwordOptions = set(`password httppassword httppasswd ftppassword ftppasswd proxypassword proxypasswd`)

// revealing matches headers and forms with login data.
var (
	revealingHeader = regexp.MustCompile(`(?i)^\s*(cookie|authorization|proxy-authorization|[\w-]*(token|secre` +
		`t|api-?key|session|auth)[\w-]*)\s*:`)
	revealingForm = regexp.MustCompile(`(?i)(pass(w(or)?d)?|pwd|secret|token|session)[\w\]\[-]*=`)
)

// reveals returns the kind of secret in an option, or "".
func (o option) reveals() string {
	switch {
	case passwordOptions[o.Name] && o.Value != "":
		return "a password"
	case o.Name == "header" && revealingHeader.MatchString(o.Value):
		name, _, _ := strings.Cut(o.Value, ":")
		return "the header " + strings.TrimSpace(name)
	case slices.Contains([]string{"postdata", "bodydata"}, o.Name) && revealingForm.MatchString(o.Value):
		return "a form with a password or a token"
	case secret.InURL([]byte(o.Value)):
		return "a password in a URL"
	}
	return ""
}

// redacted returns an option in a form without secrets.
func (o option) redacted() string {
	if o.reveals() == "" {
		return o.Words
	}
	if shown := secret.Conceal(o.Words); shown != o.Words {
		return shown
	}
	if o.Name == "header" {
		name, _, _ := strings.Cut(o.Value, ":")
		return strings.Replace(o.Words, o.Value, name+": …", 1)
	}
	return strings.Replace(o.Words, o.Value, "…", 1)
}

// secrets lists the secrets in the arguments: passwords, sessions, and cookies from a file.
func (c *command) secrets() []string {
	var all []string
	add := func(what string) {
		if what != "" && !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	for _, o := range c.Options {
		add(o.reveals())
		if o.Name == "loadcookies" {
			add("cookies, which --load-cookies took into the requests")
		}
	}
	for _, u := range c.URLs {
		if secret.InURL([]byte(u)) {
			add("a password in a URL")
		}
	}
	return all
}
