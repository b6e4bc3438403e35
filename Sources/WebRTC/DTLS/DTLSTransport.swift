internal import COpenSSL
import Cryptography

/// Datagrams and time as OpenSSL sees them: the object behind its BIO.
///
/// Each write is one datagram. A read takes the datagram that is being processed, or nothing.
///
/// OpenSSL's timer reads the system's clock. OpenSSL 3.0 passes the address of its own deadline to the BIO whenever the
/// deadline changes. The transport sets that deadline to a time that never comes, so OpenSSL retransmits nothing by
/// itself. When this package's timer is due, the transport sets the deadline to a time in the past.
///
/// OpenSSL 3.2 and later pass a copy, which `controlsTimer` detects. Then OpenSSL's own clock decides, with the same
/// intervals.
///
/// Thread: that of the connection.
///
/// Source: RFC 6347, section 4.2.4.
final class DTLSTransport {
  private static let never = timeval(tv_sec: 1 << 40, tv_usec: 0)
  private static let past = timeval(tv_sec: 1, tv_usec: 0)

  /// Present time, in nanoseconds.
  var nowNanoseconds = 0
  /// Datagrams that OpenSSL has written.
  var outbox: DTLSOutbox
  /// Fingerprints that the peer's certificate may have; empty until they are known.
  var fingerprints: [CertificateFingerprint] = []
  /// Whether the peer's certificate has been refused.
  var hasRefusedCertificate = false
  /// Timer of retransmissions.
  private(set) var timer = DTLSRetransmissionTimer()
  /// Whether a message of the handshake has been written.
  private(set) var hasWrittenHandshake = false
  private var arrived: UnsafeRawBufferPointer?
  private var deadline: UnsafeMutablePointer<timeval>?

  init(isLimited: Bool) { outbox = DTLSOutbox(isLimited: isLimited) }

  /// Lends a datagram to OpenSSL for the time of `body`.
  func lend<Result>(_ datagram: UnsafeRawBufferPointer, _ body: () -> Result) -> Result {
    arrived = datagram
    defer { arrived = nil }
    return body()
  }

  /// Forgets the state of a session that ends.
  func reset() {
    deadline = nil
    timer.stop()
    hasWrittenHandshake = false
  }

  /// Makes OpenSSL's timer expire.
  ///
  /// - Parameter ssl: OpenSSL's session with this transport.
  func expire(_ ssl: OpaquePointer) {
    timer.back()
    if controlsTimer(ssl), let deadline { deadline.pointee = Self.past }
  }

  /// Postpones a retransmission that could not leave.
  func postpone() { timer.start(nowNanoseconds: nowNanoseconds) }

  /// Returns whether the address given by OpenSSL is that of its deadline.
  private func controlsTimer(_ ssl: OpaquePointer) -> Bool {
    var left = timeval()
    return deadline != nil && openssl_dtls_timeout(ssl, &left) == 1 && left.tv_sec > Self.never.tv_sec / 2
  }

  private func read(_ memory: UnsafeMutableRawBufferPointer, _ bio: OpaquePointer?) -> Int32 {
    openssl_clear_retry(bio)
    guard let datagram = arrived else {
      openssl_retry_read(bio)
      return -1
    }
    arrived = nil
    let count = min(memory.count, datagram.count)
    memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: datagram[..<count]))
    return Int32(count)
  }

  private func write(_ datagram: UnsafeRawBufferPointer) {
    // 22: a message of the handshake (RFC 5246, section 6.2.1).
    if datagram.first == 22 { hasWrittenHandshake = true }
    outbox.append(datagram)
  }

  private func control(_ command: Int32, _ argument: UnsafeMutableRawPointer?) -> Int {
    switch command {
    case BIO_CTRL_FLUSH: return 1
    case BIO_CTRL_DGRAM_SET_NEXT_TIMEOUT:
      guard let next = argument?.assumingMemoryBound(to: timeval.self) else { return 0 }
      // 0 stops the timer.
      if next.pointee.tv_sec == 0 && next.pointee.tv_usec == 0 {
        timer.stop()
        // The peer has answered the flight, so repetitions that were held back are of no use.
        outbox.dropHeldBack()
      } else {
        timer.start(nowNanoseconds: nowNanoseconds)
        next.pointee = Self.never
      }
      deadline = next
      return 1
    default: return 0
    }
  }
}

extension DTLSTransport {
  /// Creates the BIO of a session. The session releases it; the transport lives longer.
  func makeBIO() -> OpaquePointer? {
    guard let bio = BIO_new(Self.method.pointer) else { return nil }
    BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    BIO_set_init(bio, 1)
    return bio
  }

  /// Returns the transport of a BIO that `makeBIO` made.
  static func of(_ bio: OpaquePointer?) -> DTLSTransport? {
    guard let data = BIO_get_data(bio) else { return nil }
    return Unmanaged<DTLSTransport>.fromOpaque(data).takeUnretainedValue()
  }

  private struct Method: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): the table is complete before it is shared, and never changes.
    let pointer: OpaquePointer?
  }

  private static let method: Method = {
    let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "datagrams")
    BIO_meth_set_read(method) { bio, memory, count in
      guard let transport = DTLSTransport.of(bio), let memory, count > 0 else { return -1 }
      return transport.read(UnsafeMutableRawBufferPointer(start: memory, count: Int(count)), bio)
    }
    BIO_meth_set_write(method) { bio, bytes, count in
      guard let transport = DTLSTransport.of(bio), let bytes, count > 0 else { return -1 }
      transport.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
      return count
    }
    BIO_meth_set_ctrl(method) { bio, command, _, argument in
      DTLSTransport.of(bio)?.control(command, argument) ?? 0
    }
    return Method(pointer: method)
  }()
}
