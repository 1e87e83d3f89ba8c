package accesscontrol

import (
	"errors"
	"fmt"
	"strings"

	"quire/internal/yamlfile"
)

// Config has the settings of access: the agreements with harvesters.
type Config struct {
	// Allow are the agreements: a client that fits one of them may harvest. Without any, clients on
	// this machine may.
	Allow []Agreement `json:"allow,omitempty"`

	// Proxies are the servers, by address or network, that stand before this one and whose
	// X-Forwarded-For is believed.
	Proxies []string `json:"proxies,omitempty"`
}

// Agreement says who may harvest, when, and how fast. All that it names must be so.
type Agreement struct {
	// Networks are those it is asked from: 192.0.2.0/24, 2001:db8::/32, 192.0.2.7, or the words
	// everyone, private, loopback.
	Networks []string `json:"networks,omitempty"`

	// PasswordFile has lines of user:hash, as `htpasswd -B` writes them; User is the one of them
	// that this is about, or else it is about all. A line of a hash alone is the password of User.
	User         string `json:"user,omitempty"`
	PasswordFile string `json:"password_file,omitempty"`

	// TokenFile has the SHA-256 of bearer tokens, a line each. Where there is a PasswordFile too,
	// either will do.
	TokenFile string `json:"token_file,omitempty"`

	Hours []string `json:"hours,omitempty"` // of the day: "20:00-06:00 Europe/Brussels"; all day when there are none
	Rate  string   `json:"rate,omitempty"`  // of requests, for each harvester: "10/s", "300/m", "1000/h"; "" is any
}

// ReadAllow reads the section allow: a list of agreements, or just networks.
func ReadAllow(n *yamlfile.Node) []Agreement {
	if n.IsText() {
		return []Agreement{{Networks: ReadNetworks(n)}}
	}
	var all []Agreement
	n.Items(func(n *yamlfile.Node) { all = append(all, readAgreement(n)) })
	if len(all) == 0 {
		n.Fail("has no agreement: leave the key out, and only this machine is let in; or write everyone")
	}
	return all
}

func readAgreement(n *yamlfile.Node) Agreement {
	a := Agreement{}
	n.Fields(map[string]func(*yamlfile.Node){
		"networks":      func(n *yamlfile.Node) { a.Networks = ReadNetworks(n) },
		"user":          func(n *yamlfile.Node) { a.User = n.Text() },
		"password-file": func(n *yamlfile.Node) { a.PasswordFile = n.Text() },
		"token-file":    func(n *yamlfile.Node) { a.TokenFile = n.Text() },
		"hours": func(n *yamlfile.Node) {
			a.Hours = n.Texts()
			_, err := parseHours(a.Hours)
			failIf(n, err)
		},
		"rate": func(n *yamlfile.Node) {
			a.Rate = n.Text()
			_, err := parseRate(a.Rate)
			failIf(n, err)
		},
	})
	failIf(n, a.check())
	return a
}

// check reports contradictions in an agreement.
func (a Agreement) check() error {
	switch {
	case len(a.Networks) == 0 && a.PasswordFile == "" && a.TokenFile == "":
		return errors.New("an agreement names no client: give networks, password-file or token-file, or write " +
			"networks: everyone")
	case a.User != "" && a.PasswordFile == "":
		return errors.New("a user without password-file: name the file with the hash of the password")
	case strings.ContainsRune(a.User, ':'):
		return fmt.Errorf("the user %.40q has a colon, which HTTP cannot send in a user name", a.User)
	}
	return nil
}

// String says the agreement in one line, as it is logged.
func (a Agreement) String() string {
	var parts []string
	if len(a.Networks) > 0 {
		parts = append(parts, "from "+strings.Join(a.Networks, ", "))
	}
	switch user := a.User; {
	case user == "" && a.PasswordFile != "":
		parts = append(parts, "as a user of "+a.PasswordFile)
	case user != "":
		parts = append(parts, "as "+user)
	}
	if a.TokenFile != "" {
		parts = append(parts, "by a token of "+a.TokenFile)
	}
	if len(a.Hours) > 0 {
		parts = append(parts, "at "+strings.Join(a.Hours, " and "))
	}
	if a.Rate != "" {
		parts = append(parts, "up to "+a.Rate)
	}
	return strings.Join(parts, "; ")
}

func failIf(n *yamlfile.Node, err error) {
	if err != nil {
		n.Fail("%v", err)
	}
}
