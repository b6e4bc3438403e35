import RTP
import SRTP
import WebRTC

/// A client and a server on a virtual clock. Every datagram takes `delay`, unless a rule loses or changes it.
final class DTLSLink {
  /// Datagram on its way.
  struct Sent {
    let isFromClient: Bool
    let number: Int
    let bytes: [UInt8]
    let time: Int
  }

  static let second = 1_000_000_000
  let client: DTLSConnection
  let server: DTLSConnection
  let delay: Int
  private(set) var now = 0
  /// All datagrams that have been sent, in their order.
  private(set) var sent: [Sent] = []
  private(set) var clientConnected: Int?
  private(set) var serverConnected: Int?
  /// Datagrams and times of arrival; several for a duplicate, none for a loss. By default each arrives once.
  var rule: (Sent) -> [(bytes: [UInt8], arrival: Int)]
  private var flying: [(arrival: Int, order: Int, isFromClient: Bool, bytes: [UInt8])] = []
  private var numbers = (client: 0, server: 0)
  private var order = 0

  /// - Parameters:
  ///   - delay: time of a datagram, in nanoseconds.
  ///   - checkByteCount: bytes of connectivity checks that the server has received before.
  init(_ client: DTLSConnection, _ server: DTLSConnection, delay: Int = 0, checkByteCount: Int = 100) {
    self.client = client
    self.server = server
    self.delay = delay
    rule = { [($0.bytes, $0.time + delay)] }
    server.noteReceived(byteCount: checkByteCount)
  }

  /// Two ends that know each other's certificates.
  convenience init(
    clientOptions: DTLSOptions = DTLSOptions(), serverOptions: DTLSOptions = DTLSOptions(), delay: Int = 0,
    checkByteCount: Int = 100
  ) {
    let (first, second) = (Self.certificate, Self.otherCertificate)
    self.init(
      DTLSConnection(.client, first, remoteFingerprints: [second.fingerprint], options: clientOptions),
      DTLSConnection(.server, second, remoteFingerprints: [first.fingerprint], options: serverOptions), delay: delay,
      checkByteCount: checkByteCount)
  }

  static let certificate = DTLSCertificate(unixSeconds: 1_700_000_000)
  static let otherCertificate = DTLSCertificate(unixSeconds: 1_700_000_000)

  /// Runs the two ends until nothing is left to do, or until `end`.
  func run(until end: Int = 600 * second) {
    client.start(nowNanoseconds: now)
    collect()
    while let next = nextTime, next <= end {
      now = max(now, next)
      if let index = nextArrival, flying[index].arrival <= now {
        let datagram = flying.remove(at: index)
        deliver(datagram.bytes, toServer: datagram.isFromClient)
      } else {
        if let deadline = client.nextDeadlineNanoseconds, deadline <= now { client.handleTimeout(nowNanoseconds: now) }
        if let deadline = server.nextDeadlineNanoseconds, deadline <= now { server.handleTimeout(nowNanoseconds: now) }
      }
      collect()
    }
  }

  /// Gives one end a datagram from nowhere.
  func deliver(_ bytes: [UInt8], toServer: Bool) {
    bytes.withUnsafeBytes { (toServer ? server : client).receive($0, nowNanoseconds: now) }
  }

  /// Sends all datagrams that wait.
  func collect() {
    if clientConnected == nil, case .connected = client.state { clientConnected = now }
    if serverConnected == nil, case .connected = server.state { serverConnected = now }
    while let bytes = client.takeDatagram() { send(bytes, isFromClient: true) }
    while let bytes = server.takeDatagram() { send(bytes, isFromClient: false) }
  }

  private func send(_ bytes: [UInt8], isFromClient: Bool) {
    let datagram = Sent(
      isFromClient: isFromClient, number: isFromClient ? numbers.client : numbers.server, bytes: bytes, time: now)
    if isFromClient { numbers.client += 1 } else { numbers.server += 1 }
    sent.append(datagram)
    for (bytes, arrival) in rule(datagram) {
      flying.append((arrival, order, isFromClient, bytes))
      order += 1
    }
  }

  private var nextArrival: Int? {
    flying.indices.min { (flying[$0].arrival, flying[$0].order) < (flying[$1].arrival, flying[$1].order) }
  }

  private var nextTime: Int? {
    [nextArrival.map { flying[$0].arrival }, client.nextDeadlineNanoseconds, server.nextDeadlineNanoseconds]
      .compactMap(\.self).min()
  }
}

/// Keys of an end as text, so that tests compare them.
func keyTexts(_ connection: DTLSConnection) -> [String] {
  guard let keys = connection.makeKeys() else { return [] }
  return [keys.outbound.base64(), keys.inbound.base64()]
}
