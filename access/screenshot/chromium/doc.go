// Package chromium takes pictures of web pages with Chromium, which runs in the jail of package sandbox.
//
// The browser has no network. It stops before each request and asks for the answer, over a pipe (Chrome DevTools
// Protocol, Fetch domain). So a page has its real URL, and loads exactly the content that the caller hands out.
// A browser shows one page, with a profile of its own, and is killed then with all its processes.
//
// The sandbox of Chromium needs namespaces, which the jail forbids. So it is switched off, and the jail takes its
// place.
package chromium
