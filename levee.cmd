@echo off
rem The command on Windows: builds once, then runs it. After a change of the sources, or a move of
rem the folder, delete jobs\target\class-path.args.
setlocal
set "LEVEE=%~dp0"
set "LEVEE=%LEVEE:~0,-1%"
set "BUILT=%LEVEE%\jobs\target"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
if exist "%BUILT%\class-path.args" goto run
if exist "%LEVEE%\RELEASE" goto paths
pushd "%LEVEE%"
call mvnw.cmd -B -q package -pl jobs -am -DskipTests -Dspotless.check.skip
if errorlevel 1 goto failed
popd
:paths
rem A command line may be shorter than the class path, so that goes through a file. Entries of a
rem release are relative to it and separated as on Linux.
powershell -NoProfile -Command "$p = (Get-Content -Raw $env:BUILT\classpath.txt).Trim(); if (Test-Path $env:LEVEE\RELEASE) { $p = ($p -split ':' | ForEach-Object { $env:LEVEE + '/' + $_ }) -join ';' }; $q = [char]34; Set-Content -Encoding Default $env:BUILT\class-path.args ('-cp ' + $q + ($env:BUILT + '\levee.jar;' + $p).Replace('\', '/') + $q)"
if errorlevel 1 exit /b 1
:run
"%JAVA%" "@%BUILT%\classes\levee-jvm.flags" "-Dlevee.home=%LEVEE%" "-Dlevee.plugins=%LEVEE_PLUGINS%" -Djdk.serialFilterFactory=dev.levee.jobs.restore.RestoreFilter -Dlog4j2.configurationFile=levee-log4j2.xml "@%BUILT%\class-path.args" %LEVEE_JAVA_OPTS% dev.levee.jobs.Levee %*
exit /b %errorlevel%
:failed
popd
echo levee: the build failed, see above 1>&2
exit /b 1
