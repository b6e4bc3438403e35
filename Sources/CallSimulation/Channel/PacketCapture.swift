import AudioFiles
import Glibc
import Platform

/// A file with the datagrams of a simulation, for Wireshark and its kin: IPv4 and UDP, times in nanoseconds.
///
/// Source: draft-ietf-opsawg-pcap, PCAP capture file format; RFC 791 and 768 for the headers.
final class PacketCapture {
  private let file: UnsafeMutablePointer<FILE>
  private let path: String
  private var hasFailed = false

  private static let linkTypeIPv4: UInt32 = 228
  private static let ipByteCount = 20
  private static let udpByteCount = 8

  /// Creates the file.
  ///
  /// - Throws: `SimulationError.capture` if it cannot be written.
  init(path: String, mayReplace: Bool) throws(SimulationError) {
    guard let file = fopen(path, mayReplace ? "w" : "wx") else {
      throw .capture(path: path, reason: String(cString: strerror(errno)))
    }
    self.file = file
    self.path = path
    // Magic number of times in nanoseconds, version 2.4, no zone, no accuracy, longest packet, link type.
    write(little(0xA1B2_3C4D) + [2, 0, 4, 0] + little(0) + little(0) + little(65_535) + little(Self.linkTypeIPv4))
  }

  deinit { fclose(file) }

  /// Adds a datagram, at the time of its sending.
  func add(_ bytes: [UInt8], from source: SocketAddress, to destination: SocketAddress, nowNanoseconds now: Int) {
    let udpByteCount = Self.udpByteCount + bytes.count
    let byteCount = Self.ipByteCount + udpByteCount
    let seconds = SimulatedRelay.startUnixSeconds + now / 1_000_000_000
    var header: [UInt8] = [0x45, 0] + big(byteCount) + [0, 0, 0x40, 0, 64, 17, 0, 0]
    header += source.hostBytes + destination.hostBytes
    let sum = checksum(header)
    (header[10], header[11]) = (UInt8(sum >> 8), UInt8(sum & 255))
    write(
      little(UInt32(seconds)) + little(UInt32(now % 1_000_000_000)) + little(UInt32(byteCount))
        + little(UInt32(byteCount)) + header
        // Without a checksum, as RFC 768 allows.
        + big(Int(source.port)) + big(Int(destination.port)) + big(udpByteCount) + [0, 0] + bytes)
  }

  /// Completes the file.
  ///
  /// - Throws: `SimulationError.capture` if it is not whole.
  func finish() throws(SimulationError) {
    if fflush(file) != 0 || hasFailed { throw .capture(path: path, reason: "the file is not whole") }
  }

  private func write(_ bytes: [UInt8]) {
    if fwrite(bytes, 1, bytes.count, file) != bytes.count { hasFailed = true }
  }

  private func little(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

  private func big(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

  private func checksum(_ header: [UInt8]) -> Int {
    var sum = 0
    for index in stride(from: 0, to: header.count, by: 2) {
      sum += Int(header[index]) << 8
      sum += Int(header[index + 1])
    }
    while sum > 0xFFFF { sum = sum & 0xFFFF + sum >> 16 }
    return ~sum & 0xFFFF
  }
}
