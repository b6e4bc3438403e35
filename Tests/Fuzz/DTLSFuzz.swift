import Cryptography
import RTP
import WebRTC

/// Lets a DTLS client and a server agree on keys over a network that does what the input says; see run.
///
/// Each step is a byte: the next datagram arrives as it was sent, changed or not at all, a record or a datagram of any
/// content arrives, or time passes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDTLS(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
  FuzzedHandshake(input).run()
  if let fingerprint = CertificateFingerprint(text: String(decoding: input, as: UTF8.self)) {
    precondition(CertificateFingerprint(text: "\(fingerprint)") == fingerprint, "a fingerprint is read back")
  }
  return 0
}

private final class FuzzedHandshake {
  private static let certificates: [DTLSCertificate] = {
    SeededRandom.install(seed: 1)
    return [DTLSCertificate(unixSeconds: 1_700_000_000), DTLSCertificate(unixSeconds: 1_700_000_000)]
  }()

  private let input: UnsafeRawBufferPointer
  private var position = 0
  private let client: DTLSConnection
  private let server: DTLSConnection
  private let knowsFingerprint: Bool
  private var now = 0
  private var toServer: [[UInt8]] = []
  private var toClient: [[UInt8]] = []

  init(_ input: UnsafeRawBufferPointer) {
    self.input = input
    let certificates = Self.certificates
    // The same input gives the same handshake.
    SeededRandom.install(seed: 2)
    client = DTLSConnection(.client, certificates[0], remoteFingerprints: [certificates[1].fingerprint])
    knowsFingerprint = input.count % 2 == 0
    server = DTLSConnection(
      .server, certificates[1], remoteFingerprints: knowsFingerprint ? [certificates[0].fingerprint] : [])
  }

  func run() {
    client.start(nowNanoseconds: now)
    collect()
    while position < input.count {
      let step = next()
      switch step & 7 {
      case 0: pass()
      case 1: deliver(isChanged: false, toServer: step & 8 != 0)
      case 2: deliver(isChanged: true, toServer: step & 8 != 0)
      case 3: lose(toServer: step & 8 != 0)
      case 4: receive(take(Int(next())), toServer: step & 8 != 0)
      case 5: receiveRecord(toServer: step & 8 != 0)
      case 6: server.setRemoteFingerprints([Self.certificates[step & 8 == 0 ? 0 : 1].fingerprint])
      default: server.noteReceived(byteCount: Int(next()))
      }
      collect()
      check()
    }
    if let last = input.last, last & 1 == 1 { client.close(nowNanoseconds: now) }
    while case let times = [client.nextDeadlineNanoseconds, server.nextDeadlineNanoseconds].compactMap(\.self),
      !times.isEmpty
    {
      pass()
      collect()
      check()
    }
  }

  private func next() -> UInt8 {
    guard position < input.count else { return 0 }
    position += 1
    return input[position - 1]
  }

  private func take(_ wanted: Int) -> [UInt8] {
    let end = min(position + wanted, input.count)
    defer { position = end }
    return Array(input[position..<end])
  }

  /// Time goes by until the next deadline.
  private func pass() {
    let deadlines = [client, server].compactMap(\.nextDeadlineNanoseconds)
    guard let next = deadlines.min() else { return }
    precondition(next > now, "a deadline is ahead")
    now = next
    for connection in [client, server] where connection.nextDeadlineNanoseconds == now {
      connection.handleTimeout(nowNanoseconds: now)
    }
  }

  private func deliver(isChanged: Bool, toServer: Bool) {
    guard var datagram = lose(toServer: toServer) else { return }
    if isChanged, !datagram.isEmpty {
      let index = (Int(next()) << 8 | Int(next())) % datagram.count
      datagram[index] ^= next()
    }
    receive(datagram, toServer: toServer)
  }

  @discardableResult
  private func lose(toServer: Bool) -> [UInt8]? {
    if toServer { return self.toServer.isEmpty ? nil : self.toServer.removeFirst() }
    return toClient.isEmpty ? nil : toClient.removeFirst()
  }

  /// A record with a true length: type, epoch, content.
  private func receiveRecord(toServer: Bool) {
    let (type, epoch) = (next(), next() & 1)
    let content = take(Int(next()))
    receive(
      [20 + (type & 3), 0xFE, 0xFD, 0, epoch, 0, 0, 0, 0, 1, UInt8(truncatingIfNeeded: position)]
        + [0, UInt8(content.count)] + content, toServer: toServer)
  }

  private func receive(_ bytes: [UInt8], toServer: Bool) {
    bytes.withUnsafeBytes { (toServer ? server : client).receive($0, nowNanoseconds: now) }
  }

  private func collect() {
    while let datagram = client.takeDatagram() { if toServer.count < 64 { toServer.append(datagram) } }
    while let datagram = server.takeDatagram() { if toClient.count < 64 { toClient.append(datagram) } }
  }

  private func check() {
    let counters = server.counters
    // Without the fingerprint, the state does not show that the peer's address is proven.
    if knowsFingerprint, server.state == .handshaking {
      precondition(counters.sentBytes <= 3 * counters.receivedBytes, "the server sends too much")
    }
    guard let mine = client.makeKeys(), let theirs = server.makeKeys() else { return }
    precondition(mine.outbound.base64() == theirs.inbound.base64(), "keys differ")
    precondition(mine.inbound.base64() == theirs.outbound.base64(), "keys differ")
  }
}
