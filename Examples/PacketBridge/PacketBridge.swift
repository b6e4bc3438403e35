import AudioPipe
import Channels
import Glibc

/// Forwards the packets of a user into another channel, and records all users, without decoding: PacketBridge RELAY APP
/// CHANNEL UID OTHER-CHANNEL FOLDER SECONDS
@main
enum PacketBridge {
  static func main() async { await Program.run(forward) }

  private static func forward() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 7, let uid = UInt32(arguments[3]), let seconds = Int(arguments[6]) else {
      Program.showUsage("usage: PacketBridge RELAY APP CHANNEL UID OTHER-CHANNEL FOLDER SECONDS")
    }
    let token = getenv("AUDIOPIPE_TOKEN").map { String(cString: $0) } ?? ""
    // One thread serves both channels.
    let loop = try EncodedChannelLoop()
    let outlet = try EncodedChannel(
      relay: arguments[0], appID: arguments[1], channel: arguments[4], token: token,
      options: EncodedChannelOptions(publishes: true, receives: false), loop: loop)
    let inlet = try EncodedChannel(
      relay: arguments[0], appID: arguments[1], channel: arguments[2], token: token, loop: loop,
      onPacket: { packet, sender in
        guard sender == uid else { return }
        do { try outlet.forward(packet) } catch { print("a packet was left out: \(error)") }
      })
    inlet.startRecording(in: arguments[5])
    try? await Task.sleep(for: .seconds(seconds))
    for file in inlet.stopRecording().files {
      print("\(file.path): \(file.packetCount) packets, \(file.gapSampleCount / 48) ms of gaps")
    }
    inlet.leave()
    outlet.leave()
    try? await Task.sleep(for: .milliseconds(200))
  }
}
