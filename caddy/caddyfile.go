package caddy

import (
	"encoding"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"quire/internal/accesscontrol"
	"quire/oai/plugin"
)

func init() {
	httpcaddyfile.RegisterHandlerDirective("crate", parse)
	// Before every directive that may redirect, rewrite or answer a request.
	httpcaddyfile.RegisterDirectiveOrder("crate", httpcaddyfile.Before, "redir")
}

func parse(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
	c := new(Crate)
	return c, c.UnmarshalCaddyfile(h.Dispenser)
}

// UnmarshalCaddyfile implements caddyfile.Unmarshaler.
//
//	crate {
//		base      <URL of the endpoint>
//		endpoint  <path>
//		name      <of the site>
//		admin     <mail address…>
//		state     <folder>
//		folder    <served folder>
//		allow     <network…> | { networks … ; user … ; password_file … ; token_file … ; hours <span zone>… ; rate <n>/s }
//		schedule  <span zone>…
//		proxies   <network…>
//		find      { sitemap … ; seeds … ; every … ; recheck … ; exclude … ; limit … ; skip_folder ;
//		            ignore_robots }
//		aliases   <root…>
//		plugin    <label> { builtin … | command … ; version … ; kept_open … ; mime … ; with <key> <value> ;
//		                  prints … ; reads … ; statuses … ; timeout … ; output … ;
//		                  memory … ; scratch … }
//		no_tools
//		pages     { records … ; bytes … }
//		by_value  <size>
//		requests  <number>
//	}
func (c *Crate) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // the name of the directive
	if d.NextArg() {
		return d.Errf("crate takes no arguments; set the path in its block: endpoint %s", d.Val())
	}
	var schedule []string
	err := block(d, map[string]reader{
		"base":     text(&c.Base),
		"endpoint": text(&c.Endpoint),
		"name":     text(&c.Name),
		"admin":    texts(&c.Admin),
		"state":    text(&c.State),
		"folder":   text(&c.Folder),
		"allow":    c.allow,
		"schedule": hours(&schedule),
		"proxies":  texts(&c.Proxies),
		"find":     c.find,
		"aliases":  texts(&c.Aliases),
		"plugin":   c.plugin,
		"no_tools": c.noTools,
		"pages":    c.pages,
		"by_value": sized(&c.ByValue),
		"requests": number(&c.Requests),
	})
	c.keep(schedule)
	return err
}

// keep applies the site's schedule to all access agreements without hours. If there is no
// agreement, it applies the schedule to the default agreement with this machine.
func (c *Crate) keep(schedule []string) {
	if len(schedule) > 0 && len(c.Allow) == 0 {
		c.Allow = []accesscontrol.Agreement{{Networks: []string{"loopback"}}}
	}
	for i := range c.Allow {
		if len(c.Allow[i].Hours) == 0 {
			c.Allow[i].Hours = schedule
		}
	}
}

// allow reads an access agreement: a block, or only networks.
func (c *Crate) allow(d *caddyfile.Dispenser) error {
	a := accesscontrol.Agreement{Networks: d.RemainingArgs()}
	err := block(d, map[string]reader{
		"networks":      texts(&a.Networks),
		"user":          text(&a.User),
		"password_file": text(&a.PasswordFile),
		"token_file":    text(&a.TokenFile),
		"hours":         hours(&a.Hours),
		"rate":          text(&a.Rate),
	})
	c.Allow = append(c.Allow, a)
	return err
}

func (c *Crate) find(d *caddyfile.Dispenser) error {
	return block(d, map[string]reader{
		"skip_folder": flag(&c.Find.SkipFolder),
		"sitemap":     text(&c.Find.Sitemap),
		"seeds":       texts(&c.Find.Seeds),
		"every":       duration(&c.Find.Every),
		"recheck":     duration(&c.Find.Recheck),
		"exclude":     texts(&c.Find.Exclude),
		"limit":       number(&c.Find.Limit),

		"ignore_robots": flag(&c.Find.IgnoreRobots),
	})
}

func (c *Crate) plugin(d *caddyfile.Dispenser) error {
	p := plugin.Config{}
	if !d.Args(&p.Label) {
		return d.Err("plugin needs a label, which names the tool in a CRATE: plugin md5 { builtin md5 }")
	}
	err := block(d, map[string]reader{
		"builtin":   text(&p.Builtin),
		"command":   texts(&p.Command),
		"version":   texts(&p.Version),
		"kept_open": text(&p.KeptOpen),
		"mime":      texts(&p.MIME),
		"with":      pair(&p.With),
		"prints":    text(&p.Prints),
		"reads":     texts(&p.Reads),
		"timeout":   sized(&p.Timeout),
		"output":    sized(&p.Output),
		"memory":    sized(&p.Memory),
		"scratch":   sized(&p.Scratch),
		"statuses":  statuses(&p.Statuses),
	})
	if err == nil {
		if wrong := p.Check(); wrong != nil {
			err = d.WrapErr(wrong)
		}
	}
	c.Plugins = append(c.Plugins, p)
	return err
}

// noTools disables all tools, including the built-in ones.
func (c *Crate) noTools(*caddyfile.Dispenser) error {
	c.Plugins = append([]plugin.Config{}, c.Plugins...)
	return nil
}

func (c *Crate) pages(d *caddyfile.Dispenser) error {
	return block(d, map[string]reader{"records": number(&c.Pages.Records), "bytes": sized(&c.Pages.Bytes)})
}

// reader reads the arguments of a subdirective.
type reader func(*caddyfile.Dispenser) error

// repeated lists the subdirectives that may occur more than once.
var repeated = map[string]bool{"allow": true, "plugin": true, "with": true}

// block reads a block of subdirectives. It refuses unknown and duplicate subdirectives.
func block(d *caddyfile.Dispenser, known map[string]reader) error {
	seen := map[string]bool{}
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		name := d.Val()
		read, ok := known[name]
		if !ok {
			return d.Errf("unknown subdirective %q; known are %s", name,
				strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		if seen[name] && !repeated[name] {
			return d.Errf("duplicate subdirective %s", name)
		}
		seen[name] = true
		if err := read(d); err != nil {
			return err
		}
		if d.NextArg() {
			return d.Errf("%s: unexpected argument %q", name, d.Val())
		}
	}
	return nil
}

func text(to *string) reader {
	return func(d *caddyfile.Dispenser) error {
		if !d.Args(to) || *to == "" {
			return d.ArgErr()
		}
		return nil
	}
}

func texts(to *[]string) reader {
	return func(d *caddyfile.Dispenser) error {
		args := d.RemainingArgs()
		if len(args) == 0 {
			return d.ArgErr()
		}
		*to = append(*to, args...)
		return nil
	}
}

// statuses reads exit statuses.
func statuses(to *[]int) reader {
	return func(d *caddyfile.Dispenser) error {
		var all []string
		if err := texts(&all)(d); err != nil {
			return err
		}
		for _, s := range all {
			v, err := strconv.Atoi(s)
			if err != nil {
				return d.Errf("%.80q is not an exit status", s)
			}
			*to = append(*to, v) // Check tests the range
		}
		return nil
	}
}

// hours reads time spans of the day, each with its zone: 20:00-06:00 Europe/Brussels.
func hours(to *[]string) reader {
	return func(d *caddyfile.Dispenser) error {
		args := d.RemainingArgs()
		if len(args) == 0 || len(args)%2 != 0 {
			return d.Err("hours needs a time span and its zone: hours 20:00-06:00 Europe/Brussels")
		}
		for pair := range slices.Chunk(args, 2) {
			*to = append(*to, strings.Join(pair, " "))
		}
		return nil
	}
}

func pair(to *map[string]string) reader {
	return func(d *caddyfile.Dispenser) error {
		var key, value string
		if !d.Args(&key, &value) {
			return d.ArgErr()
		}
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[key] = value
		return nil
	}
}

func flag(to *bool) reader {
	return func(*caddyfile.Dispenser) error {
		*to = true
		return nil
	}
}

// sized reads values that parse themselves from text: sizes, such as 64MiB or 64 MiB, and
// durations, for example.
func sized(to encoding.TextUnmarshaler) reader {
	return func(d *caddyfile.Dispenser) error {
		args := d.RemainingArgs()
		if len(args) == 0 {
			return d.ArgErr()
		}
		if err := to.UnmarshalText([]byte(strings.Join(args, " "))); err != nil {
			return d.WrapErr(err)
		}
		return nil
	}
}

func number(to *int) reader {
	return func(d *caddyfile.Dispenser) error {
		var s string
		if !d.Args(&s) {
			return d.ArgErr()
		}
		v, err := strconv.ParseInt(s, 10, 32)
		if err != nil || v < 1 {
			return d.Errf("%.80q is not a whole number of 1 or more", s)
		}
		*to = int(v)
		return nil
	}
}

func duration(to *time.Duration) reader {
	return func(d *caddyfile.Dispenser) error {
		var s string
		if !d.Args(&s) {
			return d.ArgErr()
		}
		v, err := caddy.ParseDuration(s)
		if err != nil || v <= 0 {
			return d.Errf("%.80q is not a duration: write 10m or 24h", s)
		}
		*to = v
		return nil
	}
}

// Interface guard.
var _ caddyfile.Unmarshaler = (*Crate)(nil)
