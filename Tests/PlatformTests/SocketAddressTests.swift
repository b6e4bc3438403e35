import Platform
import Testing

@Suite(.timeLimit(.minutes(10))) struct SocketAddressTests {
  /// Source of the last two: RFC 5952, sections 1 and 5.
  @Test(
    "an address is made of digits and written in the shortest form",
    arguments: [
      ("192.0.2.1", "192.0.2.1:5004"), ("::", "[::]:5004"), ("2001:DB8:0:0:1:0:0:1", "[2001:db8::1:0:0:1]:5004"),
      ("::ffff:192.0.2.1", "[::ffff:192.0.2.1]:5004"),
    ])
  func digits(host: String, text: String) throws {
    let address = try #require(SocketAddress(host: host, port: 5_004))
    #expect(address.description == text)
    #expect(address.port == 5_004 && address.isIPv6 == host.contains(":"))
  }

  @Test(
    "a name or a part of an address is not an address",
    arguments: ["localhost", "239.1.2", "1", "", "1.2.3.256", "::g"])
  func names(host: String) {
    #expect(SocketAddress(host: host, port: 5_004) == nil)
  }

  @Test("an IPv4 address written as IPv6 is the same host")
  func mapped() throws {
    let (plain, mapped) = (SocketAddress(host: "192.0.2.1", port: 1), SocketAddress(host: "::ffff:192.0.2.1", port: 2))
    #expect(try #require(plain).hasSameHost(as: try #require(mapped)))
    #expect(try !#require(plain).hasSameHost(as: try #require(SocketAddress(host: "192.0.2.2", port: 1))))
  }
}
