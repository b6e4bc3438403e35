import Cryptography
import Platform

/// Binding request of a lite end to an address that a check has proposed. The answer proves the address: it has a
/// number that nobody else has seen there, and is made with the peer's password.
///
/// Source: RFC 8445, section 7; RFC 8489, section 6.
struct PathRequest: ~Copyable {
  /// Shortest time between two requests, in nanoseconds: each answers a check, which may be repeated from anywhere.
  private static let interval = 200_000_000
  private let username: [UInt8]
  private var key: STUNIntegrityKey
  private var waiting: (id: STUNTransactionID, address: SocketAddress)?
  private var nextNanoseconds = Int.min

  init(local: ICECredentials, remote: ICECredentials) {
    username = Array("\(remote.fragment):\(local.fragment)".utf8)
    key = STUNIntegrityKey(password: remote.password)
  }

  /// Returns a request to an address; nil within the interval.
  mutating func make(to address: SocketAddress, nowNanoseconds now: Int) -> ICEDatagram? {
    guard now >= nextNanoseconds else { return nil }
    nextNanoseconds = now &+ Self.interval
    let id = STUNTransactionID(high: SecureRandom.number(), low: SecureRandom.number())
    var bytes = [UInt8](repeating: 0, count: 128 + username.count)
    let count = bytes.withUnsafeMutableBytes { memory -> Int in
      do throws(STUNError) {
        var writer = try STUNMessageWriter(.request, transactionID: id, into: memory)
        try writer.append(username: username.span)
        try writer.append(priority: ICECandidate.priority(.host))
        try writer.append(iceControlled: 0)
        try writer.appendIntegrity(&key)
        try writer.appendFingerprint()
        return writer.byteCount
      } catch { return 0 }
    }
    guard count > 0 else { return nil }
    waiting = (id, address)
    return ICEDatagram(bytes: Array(bytes[..<count]), address: address)
  }

  /// Whether a message is the answer to the request, from its address.
  mutating func isAnswered(by message: borrowing STUNMessageReader, from source: SocketAddress) -> Bool {
    guard let waiting, message.messageClass == .success, message.transactionID == waiting.id,
      source == waiting.address, message.hasIntegrity(of: &key)
    else { return false }
    self.waiting = nil
    return true
  }
}
