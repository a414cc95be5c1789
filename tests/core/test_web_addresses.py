"""Which addresses of machines are of the public internet, and which web addresses are fetched at all."""

from __future__ import annotations

import pytest

from events.core.web_addresses import AddressRefusedError, WebAddress, is_public, parse_web_address


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("127.0.0.1", id="loopback"),
        pytest.param("127.255.255.254", id="end of loopback"),
        pytest.param("0.0.0.0", id="unspecified"),
        pytest.param("10.1.2.3", id="private 10"),
        pytest.param("172.16.0.1", id="private 172"),
        pytest.param("172.31.255.255", id="end of private 172"),
        pytest.param("192.168.1.1", id="private 192"),
        pytest.param("169.254.169.254", id="metadata of clouds"),
        pytest.param("100.64.0.1", id="carrier NAT"),
        pytest.param("100.127.255.255", id="end of carrier NAT"),
        pytest.param("192.0.0.192", id="assignments of protocols"),
        pytest.param("168.63.129.16", id="services of a cloud"),
        pytest.param("198.18.0.1", id="benchmarks"),
        pytest.param("192.0.2.1", id="documentation"),
        pytest.param("192.88.99.1", id="relay of 6to4"),
        pytest.param("224.0.0.1", id="multicast"),
        pytest.param("239.255.255.250", id="multicast of a site"),
        pytest.param("240.0.0.1", id="reserved"),
        pytest.param("255.255.255.255", id="broadcast"),
        pytest.param("::", id="unspecified 6"),
        pytest.param("::1", id="loopback 6"),
        pytest.param("::ffff:127.0.0.1", id="mapped loopback"),
        pytest.param("::ffff:10.0.0.1", id="mapped private"),
        pytest.param("::ffff:a9fe:a9fe", id="mapped metadata"),
        pytest.param("::127.0.0.1", id="compatible loopback"),
        pytest.param("64:ff9b::7f00:1", id="loopback by NAT64"),
        pytest.param("64:ff9b:1::1", id="local NAT64"),
        pytest.param("2002:7f00:1::", id="loopback by 6to4"),
        pytest.param("2001:0:53aa:64c:0:0:0:1", id="Teredo"),
        pytest.param("2001:db8::1", id="documentation 6"),
        pytest.param("fc00::1", id="unique local"),
        pytest.param("fd12:3456::1", id="unique local, own"),
        pytest.param("fe80::1", id="link local"),
        pytest.param("fe80::1%eth0", id="link local with a zone"),
        pytest.param("fec0::1", id="site local"),
        pytest.param("ff02::1", id="multicast 6"),
        pytest.param("100::1", id="discard"),
        pytest.param("5f00::1", id="segment routing"),
        pytest.param("2130706433", id="no address"),
        pytest.param("", id="nothing"),
    ],
)
def test_address_of_another_kind_is_not_public(address: str) -> None:
    assert not is_public(address)


def test_web_address_is_taken_apart() -> None:
    found = parse_web_address("https://Schedule.Example.ORG/2026/plan für alle.xml?key=a/b&x=ü#part".replace(" ", "%20"))

    assert found == WebAddress("schedule.example.org", 443, "/2026/plan%20f%C3%BCr%20alle.xml?key=a/b&x=%C3%BC")
    assert found.file_name == "plan für alle.xml"


def test_host_of_other_letters_is_asked_in_ascii() -> None:
    found = parse_web_address("https://bücher.example/")

    assert (found.host, found.target, found.file_name) == ("xn--bcher-kva.example", "/", "xn--bcher-kva.example")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        pytest.param("http://example.org/a.xml", "does not begin with https://", id="plain http"),
        pytest.param("file:///etc/passwd", "does not begin with https://", id="file"),
        pytest.param("ftp://example.org/", "does not begin with https://", id="ftp"),
        pytest.param("gopher://example.org/", "does not begin with https://", id="gopher"),
        pytest.param("//example.org/", "does not begin with https://", id="without a scheme"),
        pytest.param("https://user:word@example.org/", "name or a password", id="password"),
        pytest.param("https://user@example.org/", "name or a password", id="name"),
        pytest.param("https://@example.org/", "name or a password", id="empty name"),
        pytest.param("https://example.org:8443/", "names port 8443", id="port"),
        pytest.param("https://example.org:0x1bb/", "is not a web address", id="port of letters"),
        pytest.param("https://example.org:99999/", "is not a web address", id="port too large"),
        pytest.param("https:///a.xml", "names no host", id="without a host"),
        pytest.param("https://exam ple.org/", "has a space", id="space"),
        pytest.param("https://example.org/a\r\nHost: b", "has a space", id="line break"),
        pytest.param("https://example.org\\@10.0.0.1/", "has a space", id="backslash"),
        pytest.param("https://exa\tmple.org/", "has a space", id="tab"),
        pytest.param("https://example.org/" + "a" * 500, "too long", id="long"),
        pytest.param("https://[::1/", "is not a web address", id="half a bracket"),
        pytest.param("https://example.org%00.evil/", "names no host", id="escaped NUL"),
    ],
)
def test_other_web_address_is_refused_with_the_remedy(url: str, words: str) -> None:
    with pytest.raises(AddressRefusedError, match=words) as refused:
        parse_web_address(url)

    assert len(str(refused.value)) < 200
