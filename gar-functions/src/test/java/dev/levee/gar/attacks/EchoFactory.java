package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Attack;
import dev.levee.gar.AttackFactory;
import dev.levee.gar.Round;

import java.util.List;

/** An attack from outside: the attacker's own gradient times a factor. */
public final class EchoFactory implements AttackFactory {
    record Echo(double times) implements Attack {
        @Override
        public String name() {
            return "echo(times=" + Arguments.text(times) + ")";
        }

        @Override
        public Sees sees() {
            return Sees.OWN;
        }

        @Override
        public float[] forge(
                int attacker, int block, Round round, float[] own, float[][] honest, int length) {
            float[] row = new float[length];
            for (int i = 0; i < length; i++) {
                row[i] = (float) (times * own[i]);
            }
            return row;
        }
    }

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public List<String> parameters() {
        return List.of("times");
    }

    @Override
    public Attack create(Arguments arguments) {
        return new Echo(arguments.number("times", 1));
    }
}
