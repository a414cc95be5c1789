"""Which web addresses and which machines of the internet the server may be sent to by somebody else."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

HTTPS_PORT = 443
MAX_WEB_ADDRESS_CHARS = 500
_UNSEEN_CHARACTERS = re.compile(r"[\x00-\x20\x7f-\xa0\\]")
_HOST_NAME = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252}[A-Za-z0-9_.])?\Z|\[?[0-9A-Fa-f:.]+\]?\Z")

# What is assigned to hosts of the internet. IPv4 inside IPv6 is looked at as IPv4.
_GLOBAL_IPV6 = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# The registries of special addresses of IANA, beside what each version of Python knows; 6to4 and Teredo tunnel to any IPv4
# address; the last IPv4 address is that of a cloud's own services, which is otherwise a public one.
_SPECIAL_NETWORKS = [
    ipaddress.ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"),
        *("192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        *("224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16"),
    )
]


class AddressRefusedError(ValueError):
    """An address that is not fetched; the message has the value and the remedy."""


@dataclass(frozen=True)
class WebAddress:
    """An https address in parts: ``host`` in ASCII, ``target`` as it stands in a request."""

    host: str
    port: int
    target: str

    @property
    def file_name(self) -> str:
        """The last part of its path, else its host."""
        last = unquote(self.target.partition("?")[0].rstrip("/").rpartition("/")[2])
        return "".join(letter for letter in last if letter.isprintable())[:200] or self.host


def parse_web_address(url: str, *, ports: frozenset[int] = frozenset({HTTPS_PORT})) -> WebAddress:
    """Return the parts of an https address without a password; raise AddressRefusedError for any other."""
    shown = f"“{url[:60]}{'…' if len(url) > 60 else ''}”"
    if _UNSEEN_CHARACTERS.search(url) or len(url) > MAX_WEB_ADDRESS_CHARS:
        raise AddressRefusedError(f"{shown} has a space or another character that no address has, or is too long: copy it again.")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or HTTPS_PORT
    except ValueError as error:
        raise AddressRefusedError(f"{shown} is not a web address: copy it again, from https:// to its end.") from error
    if parts.scheme != "https":
        raise AddressRefusedError(f"{shown} does not begin with https://: only such addresses are fetched.")
    if parts.username is not None or parts.password is not None:
        raise AddressRefusedError("The address has a name or a password before its host: use one that opens without.")
    if port not in ports:
        raise AddressRefusedError(f"{shown} names port {port}: only port {HTTPS_PORT}, that of https, is asked.")
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = f"?{quote(parts.query, safe='/%:@!$&()*+,;=~-._?')}" if parts.query else ""
    return WebAddress(_ascii_host(host, shown), port, path + query)


def _ascii_host(host: str, shown: str) -> str:
    try:
        name = host.encode("idna").decode() if not host.isascii() else host
    except UnicodeError:
        name = ""
    if not _HOST_NAME.match(name):
        raise AddressRefusedError(f"{shown} names no host: copy it again, from https:// to its end.")
    return name


def is_public(address: str) -> bool:
    """Whether an IP address belongs to a host of the public internet, also inside another address."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    inner = list(_addresses_inside(ip))
    if inner:
        return all(is_public(str(each)) for each in inner)
    if ip.version == 6 and ip not in _GLOBAL_IPV6:
        return False
    is_special = any(ip in network for network in _SPECIAL_NETWORKS if network.version == ip.version)
    return ip.is_global and not (is_special or ip.is_multicast or ip.is_reserved)


def _addresses_inside(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> Iterator[ipaddress.IPv4Address]:
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            yield ip.ipv4_mapped
        elif ip in _NAT64:
            yield ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
