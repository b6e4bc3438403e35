import NetworkIO
import Platform
import RTP

/// A telephone with PCMU and one socket for both directions, made of bytes alone.
final class Telephone {
  private let socket: UDPSocket
  private var ssrc: UInt32
  private var sequence: UInt16 = 100
  private var timestamp: UInt32 = 5_000
  private var keyTimestamp: UInt32?
  private var newest: (sequence: UInt16, timestamp: UInt32)?
  private(set) var sequenceGaps = 0
  private(set) var timestampGaps = 0

  init(ssrc: UInt32) throws {
    self.ssrc = ssrc
    socket = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
  }

  var address: SocketAddress { socket.localAddress }

  /// Restarts with another SSRC, as a telephone does after a transfer.
  func restart(ssrc: UInt32) {
    self.ssrc = ssrc
    sequence = 7_000
  }

  func send(_ samples: [Int16], to address: SocketAddress) {
    transmit(type: 0, timestamp: timestamp, samples.map(Self.encode), to: address)
    timestamp &+= UInt32(samples.count)
  }

  /// Sends a payload of any type, after which the timestamp advances by `ticks`.
  func send(_ payload: [UInt8], type: UInt8, ticks: UInt32, to address: SocketAddress) {
    transmit(type: type, timestamp: timestamp, payload, to: address)
    timestamp &+= ticks
  }

  func sendKey(_ key: UInt8, duration: Int, isEnd: Bool, to address: SocketAddress) {
    let start = keyTimestamp ?? timestamp
    keyTimestamp = start
    let bytes: [UInt8] = [key, (isEnd ? 0x80 : 0) | 10, UInt8(duration >> 8), UInt8(duration & 0xFF)]
    transmit(type: 101, timestamp: start, bytes, to: address)
  }

  /// Sends an empty receiver report and a BYE (RFC 3550, section 6.6).
  func sendBye(to address: SocketAddress) {
    let bytes: [UInt8] = [0x80, 201, 0, 1] + Self.big(ssrc) + [0x81, 203, 0, 1] + Self.big(ssrc)
    bytes.withUnsafeBytes { _ = socket.send($0, to: address) }
  }

  /// Returns the samples of the PCMU packets that have come.
  func receive() -> [[Int16]] {
    var packets: [[Int16]] = []
    while let packet = socket.receive({ bytes, _ in Array(bytes) }) {
      guard packet.count > 12, packet[0] == 0x80, packet[1] & 0x7F == 0 else { continue }
      let number = UInt16(packet[2]) << 8 | UInt16(packet[3])
      let time = packet[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      if let newest {
        if number != newest.sequence &+ 1 { sequenceGaps += 1 }
        if time != newest.timestamp &+ 160 { timestampGaps += 1 }
      }
      newest = (number, time)
      packets.append(packet[12...].map(Self.decode))
    }
    return packets
  }

  /// Returns the payload types of the packets that have come.
  func receiveTypes() -> [UInt8] {
    var types: [UInt8] = []
    while let packet = socket.receive({ bytes, _ in Array(bytes) }) {
      if packet.count > 12, packet[0] == 0x80, packet[1] & 0x7F < 64 { types.append(packet[1] & 0x7F) }
    }
    return types
  }

  private func transmit(type: UInt8, timestamp: UInt32, _ payload: [UInt8], to address: SocketAddress) {
    let packet: [UInt8] =
      [0x80, type, UInt8(sequence >> 8), UInt8(sequence & 0xFF)] + Self.big(timestamp) + Self.big(ssrc) + payload
    sequence &+= 1
    packet.withUnsafeBytes { _ = socket.send($0, to: address) }
  }

  private static func big(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

  /// Expands mu-law. Source: ITU-T G.711, table 2a.
  private static func decode(_ code: UInt8) -> Int16 {
    let inverted = ~code
    let magnitude = (Int(inverted & 0x0F) << 3 + 0x84) << Int((inverted & 0x70) >> 4) - 0x84
    return Int16(inverted & 0x80 != 0 ? -magnitude : magnitude)
  }

  /// Returns the code with the nearest value.
  private static func encode(_ sample: Int16) -> UInt8 {
    (UInt8.min...UInt8.max).min { abs(Int(decode($0)) - Int(sample)) < abs(Int(decode($1)) - Int(sample)) }!
  }
}
