package import SRTP

// Packets in, packets out: each in memory that ends where the packet, or what protects it, does.

package func protect(_ packet: [UInt8], with session: inout SRTPSession) throws -> [UInt8] {
  try inPlace(packet, room: session.suite.rtpOverhead, with: &session) { try $0.protect($1, byteCount: $2) }
}

package func unprotect(_ packet: [UInt8], with session: inout SRTPSession) throws -> [UInt8] {
  try inPlace(packet, room: 0, with: &session) { try $0.unprotect($1, byteCount: $2) }
}

package func protectRTCP(_ packet: [UInt8], with session: inout SRTPSession) throws -> [UInt8] {
  try inPlace(packet, room: session.suite.rtcpOverhead, with: &session) { try $0.protectRTCP($1, byteCount: $2) }
}

package func unprotectRTCP(_ packet: [UInt8], with session: inout SRTPSession) throws -> [UInt8] {
  try inPlace(packet, room: 0, with: &session) { try $0.unprotectRTCP($1, byteCount: $2) }
}

private func inPlace(
  _ packet: [UInt8], room: Int, with session: inout SRTPSession,
  _ body: (inout SRTPSession, UnsafeMutableRawBufferPointer, Int) throws -> Int
) throws -> [UInt8] {
  // Aligned at its beginning: up to three bytes lie between its end and the page's.
  let used = packet.count + room
  let fill = (4 - used % 4) % 4
  return try withGuarded(packet + [UInt8](repeating: 0x55, count: room + fill)) { memory in
    let lent = UnsafeMutableRawBufferPointer(rebasing: memory[..<used])
    let count = try body(&session, lent, packet.count)
    precondition(memory[used...].allSatisfy { $0 == 0x55 }, "written beyond what was lent")
    return Array(memory[..<count])
  }
}
