import SRTP

/// Feeds any bytes to SRTP and to libsrtp: as protected packets, which both accept or refuse, and as plain packets,
/// which both protect to the same bytes. Memory ends where the lent bytes do.
///
/// The first byte chooses suite and operation, the others are packets of one session, each with two bytes of length.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSRTP(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 3 else { return 0 }
  let bytes = UnsafeBufferPointer(start: start, count: count)
  let suite = SRTPSuite.allCases[Int(bytes[0]) % SRTPSuite.allCases.count]
  let isRTCP = bytes[0] & 0x40 != 0
  if bytes[0] & 0x80 != 0 { receive(packets(bytes), suite, isRTCP) } else { send(packets(bytes), suite, isRTCP) }
  return 0
}

private func packets(_ bytes: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
  var packets: [[UInt8]] = []
  var offset = 1
  while offset + 2 <= bytes.count {
    let length = min(Int(bytes[offset]) << 8 & 0x7FF | Int(bytes[offset + 1]), bytes.count - offset - 2)
    packets.append(Array(bytes[(offset + 2)..<(offset + 2 + length)]))
    offset += 2 + length
  }
  return packets
}

private func key(_ suite: SRTPSuite) -> [UInt8] { Array(0..<UInt8(suite.keyByteCount + suite.saltByteCount)) }

private func session(_ suite: SRTPSuite, _ direction: SRTPSession.Direction) -> SRTPSession {
  guard let key = try? SRTPKey(suite, bytes: key(suite).span.bytes) else { fatalError("no key") }
  return SRTPSession(key, direction)
}

/// Runs an operation in memory that ends where the packet, or its protection, does.
private func inPlace(_ packet: [UInt8], more: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int?) -> [UInt8]? {
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: packet.count + more, alignment: 1)
  defer { memory.deallocate() }
  memory.copyBytes(from: packet)
  return body(memory).map { Array(memory[..<$0]) }
}

private func isVersion2(_ packet: [UInt8]) -> Bool { packet.first.map { $0 >> 6 == 2 } ?? false }

private func send(_ packets: [[UInt8]], _ suite: SRTPSuite, _ isRTCP: Bool) {
  var ours = session(suite, .outbound)
  var receiver = session(suite, .inbound)
  guard var library = try? LibSRTP(suite, key(suite), isOutbound: true) else { fatalError("libsrtp makes no session") }
  for packet in packets where isRTCP ? packet.count >= 8 : isVersion2(packet) {
    let sealed = inPlace(packet, more: isRTCP ? suite.rtcpOverhead : suite.rtpOverhead) { memory in
      isRTCP
        ? try? ours.protectRTCP(memory, byteCount: packet.count) : try? ours.protect(memory, byteCount: packet.count)
    }
    let expected = try? library.apply(isRTCP ? .protectRTCP : .protect, packet)
    precondition(sealed == expected, "the two protect to other bytes")
    guard let sealed else { continue }
    let opened = inPlace(sealed, more: 0) { memory in
      isRTCP
        ? try? receiver.unprotectRTCP(memory, byteCount: sealed.count)
        : try? receiver.unprotect(memory, byteCount: sealed.count)
    }
    precondition(opened == nil || opened == packet, "the packet has changed")
  }
}

private func receive(_ packets: [[UInt8]], _ suite: SRTPSuite, _ isRTCP: Bool) {
  var ours = session(suite, .inbound)
  guard var library = try? LibSRTP(suite, key(suite), isOutbound: false) else { fatalError("libsrtp makes no session") }
  for packet in packets {
    let opened = inPlace(packet, more: 0) { memory in
      isRTCP
        ? try? ours.unprotectRTCP(memory, byteCount: packet.count)
        : try? ours.unprotect(memory, byteCount: packet.count)
    }
    guard opened != nil || (isVersion2(packet) && packet.count >= 32) else { continue }
    let expected = try? library.apply(isRTCP ? .unprotectRTCP : .unprotect, packet)
    precondition(opened == expected, "one of the two accepts the packet")
  }
}
