import Commands

Audiopipe.main()
