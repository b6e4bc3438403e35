import NetworkIO
import Platform
import Testing

@testable import NetworkSimulation

@Suite(.timeLimit(.minutes(10))) struct ReplyFilterTests {
  private let target = try! SocketAddress("192.0.2.1:5004")

  @Test("the target's host answers from any port")
  func ports() throws {
    var filter = ReplyFilter(target: target)
    for port in [5004, 5005, 60_000] {
      let address = try SocketAddress("192.0.2.1:\(port)")
      let isAnswer = filter.accepts(address)
      #expect(isAnswer, "\(port)")
    }
  }

  @Test("another host is accepted if it answers first, from the target's port")
  func otherHost() throws {
    var filter = ReplyFilter(target: target)
    let (other, third) = (try SocketAddress("198.51.100.7:5004"), try SocketAddress("203.0.113.9:5004"))
    let wrongPort = filter.accepts(other.withPort(5005))
    #expect(!wrongPort)
    let first = filter.accepts(other)
    #expect(first)
    let next = filter.accepts(other.withPort(5005))
    let own = filter.accepts(target)
    #expect(next && own)
    let stranger = filter.accepts(third)
    #expect(!stranger)
  }

  @Test("no other host is accepted once the target has answered itself")
  func ownHost() throws {
    var filter = ReplyFilter(target: target)
    let own = filter.accepts(target)
    let other = filter.accepts(try SocketAddress("198.51.100.7:5004"))
    #expect(own && !other)
  }
}
