import CPlatform
import Glibc

/// Service of desktops that gives real-time priorities to users without that right.
///
/// libdbus is loaded at run time: the service is the only use of it, and a server does not have it.
enum RealtimeKit {
  /// Longest wait for the service, in milliseconds.
  private static let timeout: Int32 = 300
  /// Processor time that a real-time thread may use without a wait, in microseconds; the service accepts no more.
  private static let longestRun: rlim_t = 200_000
  private static let systemBus: Int32 = 1
  private static let unsigned32 = Int32(UInt8(ascii: "u"))
  private static let unsigned64 = Int32(UInt8(ascii: "t"))

  private typealias Pointer = UnsafeMutableRawPointer
  private typealias Connect = @convention(c) (Int32, Pointer?) -> Pointer?
  private typealias SetExit = @convention(c) (Pointer, UInt32) -> Void
  private typealias NewCall =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>
    ) -> Pointer?
  private typealias BeginArguments = @convention(c) (Pointer, Pointer) -> Void
  private typealias AppendArgument = @convention(c) (Pointer, Int32, UnsafeRawPointer) -> UInt32
  private typealias Send = @convention(c) (Pointer, Pointer, Int32, Pointer?) -> Pointer?
  private typealias Release = @convention(c) (Pointer) -> Void

  /// Asks the service for a priority of the calling thread.
  ///
  /// The process gets a limit of 200 ms of processor time for a real-time thread between two waits.
  ///
  /// - Returns: Whether the thread has the priority; false without the service.
  static func raisePriority(to priority: UInt32) -> Bool {
    guard let library = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL),
      let connect = function("dbus_bus_get_private", of: library, as: Connect.self),
      let setExit = function("dbus_connection_set_exit_on_disconnect", of: library, as: SetExit.self),
      let newCall = function("dbus_message_new_method_call", of: library, as: NewCall.self),
      let begin = function("dbus_message_iter_init_append", of: library, as: BeginArguments.self),
      let append = function("dbus_message_iter_append_basic", of: library, as: AppendArgument.self),
      let send = function("dbus_connection_send_with_reply_and_block", of: library, as: Send.self),
      let releaseMessage = function("dbus_message_unref", of: library, as: Release.self),
      let closeConnection = function("dbus_connection_close", of: library, as: Release.self),
      let releaseConnection = function("dbus_connection_unref", of: library, as: Release.self),
      let connection = connect(systemBus, nil)
    else { return false }
    // Otherwise the end of the bus would end the process.
    setExit(connection, 0)
    defer {
      closeConnection(connection)
      releaseConnection(connection)
    }
    guard limitRuns(),
      let call = newCall(
        "org.freedesktop.RealtimeKit1", "/org/freedesktop/RealtimeKit1", "org.freedesktop.RealtimeKit1",
        "MakeThreadRealtime")
    else { return false }
    defer { releaseMessage(call) }
    // A DBusMessageIter has 14 words.
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { iterator in
      var thread = UInt64(cplatform_thread_identifier())
      var priority = priority
      begin(call, iterator.baseAddress!)
      guard append(iterator.baseAddress!, unsigned64, &thread) != 0,
        append(iterator.baseAddress!, unsigned32, &priority) != 0,
        let reply = send(connection, call, timeout, nil)
      else { return false }
      releaseMessage(reply)
      return true
    }
  }

  private static func function<Function>(_ name: String, of library: Pointer, as type: Function.Type) -> Function? {
    dlsym(library, name).map { unsafeBitCast($0, to: type) }
  }

  // The service refuses processes that could occupy a processor for good.
  private static func limitRuns() -> Bool {
    let resource = __rlimit_resource_t(__RLIMIT_RTTIME.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return false }
    limit.rlim_max = min(limit.rlim_max, longestRun)
    limit.rlim_cur = min(limit.rlim_cur, limit.rlim_max)
    return setrlimit(resource, &limit) == 0
  }
}
