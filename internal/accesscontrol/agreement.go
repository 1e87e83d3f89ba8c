package accesscontrol

import (
	"errors"
	"fmt"
	"strings"

	"quire/internal/yamlfile"
)

// Config is the configuration of access: the agreements with harvesters.
type Config struct {
	// Allow lists the agreements: a client that matches one may harvest. Without any, only clients
	// on this machine may harvest.
	Allow []Agreement `json:"allow,omitempty"`

	// Proxies are the servers in front of this one, by address or network. Only their
	// X-Forwarded-For is trusted.
	Proxies []string `json:"proxies,omitempty"`
}

// Agreement defines the clients that may harvest, the hours and the rate. All its conditions must
// hold.
type Agreement struct {
	// Networks are the client addresses: 192.0.2.0/24, 2001:db8::/32, 192.0.2.7, or the words
	// everyone, private, loopback.
	Networks []string `json:"networks,omitempty"`

	// PasswordFile has lines of user:hash, as `htpasswd -B` writes them. User limits the agreement
	// to one user; without it, it applies to all. A line with only a hash is the password of User.
	User         string `json:"user,omitempty"`
	PasswordFile string `json:"password_file,omitempty"`

	// TokenFile has the SHA-256 of bearer tokens, one per line. If PasswordFile is also set, either
	// credential suffices.
	TokenFile string `json:"token_file,omitempty"`

	Hours []string `json:"hours,omitempty"` // "20:00-06:00 Europe/Brussels"; all day if empty
	Rate  string   `json:"rate,omitempty"`  // of requests, per harvester: "10/s", "300/m", "1000/h"; "" is unlimited
}

// ReadAllow reads the section allow: a list of agreements, or only networks.
func ReadAllow(n *yamlfile.Node) []Agreement {
	if n.IsText() {
		return []Agreement{{Networks: ReadNetworks(n)}}
	}
	var all []Agreement
	n.Items(func(n *yamlfile.Node) { all = append(all, readAgreement(n)) })
	if len(all) == 0 {
		n.Fail("has no agreement: remove the key to admit only this machine, or write everyone")
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
		return errors.New("an agreement names no client: set networks, password-file or token-file, or " +
			"write networks: everyone")
	case a.User != "" && a.PasswordFile == "":
		return errors.New("a user without password-file: set it to the file with the password's hash")
	case strings.ContainsRune(a.User, ':'):
		return fmt.Errorf("the user %.40q has a colon; HTTP does not allow one in a user name", a.User)
	}
	return nil
}

// String returns the agreement in one line, for the log.
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
