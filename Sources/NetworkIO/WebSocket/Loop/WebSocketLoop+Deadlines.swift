import CWebSockets

extension WebSocketLoop {
  /// Checks every connection's deadlines, and sets the time of the next check.
  ///
  /// Cost: a few comparisons per connection.
  func tick(at now: Int64) {
    let shortest = min(limits.handshakeNanoseconds, limits.pingNanoseconds, limits.silenceNanoseconds)
    let interval = stopDeadline == nil ? max(5_000_000, min(250_000_000, shortest / 4)) : 20_000_000
    // The library removes the timer before this call, and then waits: the next time has to be set here.
    cwebsockets_schedule(
      context, timer,
      { entry in
        guard let loop = cwebsockets_timer_user(entry) else { return }
        // SAFETY: the loop outlives its context, which calls this.
        let owner = Unmanaged<WebSocketLoop>.fromOpaque(loop).takeUnretainedValue()
        // Where the library has no descriptor left for its own wake-up, requests of other threads are seen here.
        owner.execute()
        owner.tick(at: owner.now)
      }, interval / 1_000)
    for connection in Array(handles.values) { check(connection, at: now) }
    if now >= nextSweep {
      nextSweep = now + 10_000_000_000
      rates.removeIdle(at: now)
    }
    if !mailbox.isFull() { resume() }
  }

  private func check(_ connection: WebSocketLoopConnection, at now: Int64) {
    switch connection.phase {
    case .handshake:
      guard now - connection.lastReceived > limits.handshakeNanoseconds, connection.failure == nil else { return }
      if connection.answer == nil { mailbox.count(\.lateHandshakes) }
      connection.failure = .timeout
      cut(connection)
    case .open:
      guard connection.failure == nil else { return }
      if connection.closing != nil, now - connection.closingStart > limits.handshakeNanoseconds {
        // The peer does not take the close frame.
        connection.failure = .timeout
        cut(connection)
      } else if now - connection.lastReceived > limits.silenceNanoseconds {
        mailbox.count(\.silentPeers)
        connection.failure = .timeout
        cut(connection)
      } else if now - connection.lastPing >= limits.pingNanoseconds {
        connection.lastPing = now
        connection.wantsPing = true
        lws_callback_on_writable(connection.handle)
      }
    case .ended: break
    }
  }

  /// Reads again from all paused sockets.
  func resume() {
    for handle in pauses.all where !pauses.own.contains(handle) { lws_rx_flow_control(handle, 1) }
    pauses.all.removeAll()
  }

  /// Reads again from a connection that had too many events of its own.
  func resumeReading(_ id: ConnectionID) {
    guard let handle = handles[id]?.handle, pauses.own.remove(handle) != nil else { return }
    guard !pauses.all.contains(handle) else { return }
    lws_rx_flow_control(handle, 1)
  }

  /// Stops reading from a socket until `resume`.
  func pause(_ handle: OpaquePointer) {
    if pauses.all.insert(handle).inserted { lws_rx_flow_control(handle, 0) }
  }

  /// Ends a connection at the next turn of the loop, without a close frame.
  func cut(_ connection: WebSocketLoopConnection) {
    guard let handle = connection.handle else { return end(connection) }
    cwebsockets_kill(handle)
  }
}
