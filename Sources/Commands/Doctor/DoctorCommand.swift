import CommandLineKit
import Devices
import FileCommands

/// `audiopipe doctor`: shows the abilities of this machine, and gives advice for missing ones.
enum DoctorCommand {
  static let declaration = CommandDeclaration(
    name: "doctor",
    summary: "Show the capabilities of this machine: libraries, sound devices, real-time priority, clock, UDP, "
      + "pictures",
    examples: ["audiopipe doctor", "audiopipe doctor --json | jq -r '.advice[]'"],
    notes: ["The exit code is 0 even if something is missing: most jobs need only a part."],
    options: CommonOptions.declarations)

  /// Prints the report.
  ///
  /// - Throws: as `StandardOutput.write` does.
  static func run(_ parsed: ParsedArguments, console: Console) throws -> ExitCode {
    let log = console.log
    log.debug("reading /proc/asound")
    let sound = SoundDevices()
    log.debug("requesting SCHED_FIFO")
    let priority = RealTimePriority()
    log.debug("sending a datagram to 127.0.0.1")
    let udp = UDPProbe()
    log.debug("waiting for \(ClockProbe.tickCount) ticks of 10 ms")
    let report = DoctorReport(
      libraries: LinkedLibrary.all, machine: Machine(), sound: sound, devices: AudioDevices.all(),
      deviceFault: AudioDevices.defaultFault(), priority: priority, clock: ClockProbe(),
      udp: udp, drawsPNG: PictureConverter.isThere)
    if parsed.has("json") {
      try console.output.writeLine(report.json)
    } else {
      let width = min(100, max(40, Console.columnCount(of: 1)))
      try console.output.write(DoctorTable(report: report, width: width, style: console.outputStyle).text)
    }
    return .success
  }
}
